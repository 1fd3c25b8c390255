package io.penstock.kernel;

import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.ir.Query;
import io.penstock.kernel.ir.Value;
import io.penstock.kernel.ir.ValueType;
import io.penstock.kernel.reach.LaunchSizes;
import org.jspecify.annotations.Nullable;

/** The sizes and scalars of one launch, as the analysis of its reach asks for them. */
final class ViewSizes implements LaunchSizes {
    private final Object[] values;
    private final Range range;

    ViewSizes(Object[] values, Range range) {
        this.values = values;
        this.range = range;
    }

    @Override
    public long scalar(int parameter) {
        return switch (values[parameter]) {
            case Boolean b -> b ? 1 : 0;
            case Character c -> c;
            case Number n -> n.longValue();
            default -> throw new IllegalArgumentException("value " + parameter + " is no integer");
        };
    }

    @Override
    public @Nullable Long ask(int parameter, Query query) {
        if (parameter < 0)
            return switch (query) {
                case SIZE_X -> range.x();
                case SIZE_Y -> range.y();
                case SIZE_Z -> range.z();
                case GROUP_SIZE_X -> (long) range.group().x();
                case GROUP_SIZE_Y -> (long) range.group().y();
                case GROUP_SIZE_Z -> (long) range.group().z();
                case GROUPS_X -> range.groupsX();
                case GROUPS_Y -> range.groupsY();
                default -> range.groupsZ();
            };
        ElementView view = (ElementView) values[parameter];
        return switch (query) {
            case COLUMNS -> view.columns();
            case ROWS -> view.rows();
            case PLANES -> view.planes();
            case LENGTH -> view.length();
            case DIMENSIONS -> (long) view.dimensions();
            case EXTENT_0 -> extent(view, 0);
            case EXTENT_1 -> extent(view, 1);
            default -> extent(view, 2);
        };
    }

    /**
     * The number that a parameter or query is, of the value's own type.
     *
     * @throws IndexOutOfBoundsException when a view lacks the dimension that is asked for
     */
    Object value(Value value) {
        if (value.operation() == Operation.PARAMETER)
            return Interpreter.scalar(values[value.parameter().index()]);
        int view =
                value.operands().isEmpty() ? -1 : value.operand(0).parameter().index();
        Long answer = ask(view, value.attribute(Query.class));
        if (answer == null) throw new IndexOutOfBoundsException("the view has no such dimension");
        return value.type() == ValueType.INT ? (Object) (int) (long) answer : answer;
    }

    private static @Nullable Long extent(ElementView view, int dimension) {
        return dimension < view.dimensions() ? view.extent(dimension) : null;
    }

    @Override
    public long @Nullable [] extents(int parameter, int indices) {
        return ((ElementView) values[parameter]).extents(indices);
    }
}
