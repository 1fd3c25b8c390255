package io.penstock.kernel;

/** An index outside a view, which remembers the view so that a launch can say which of its arguments that was. */
final class ElementIndexException extends IndexOutOfBoundsException {
    private static final long serialVersionUID = 1L;

    private final transient ElementView view;

    ElementIndexException(ElementView view, String message) {
        super(message);
        this.view = view;
    }

    ElementView view() {
        return view;
    }
}
