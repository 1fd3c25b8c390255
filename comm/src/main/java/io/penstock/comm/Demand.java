package io.penstock.comm;

import io.penstock.array.DType;
import java.util.Arrays;
import java.util.StringJoiner;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/** What one rank asks for when it calls a collective: all that the ranks must agree about, without the arrays. */
interface Demand {
    /** Which collective. */
    CallKind kind();

    /** The rank that is special, {@link Call#NO_ROOT} where none is. */
    int root();

    /** How elements are combined, null where they are not. */
    @Nullable
    ReduceOp op();

    /** The type of all arrays of the call, null where it has none. */
    @Nullable
    DType dtype();

    /** How many arrays the rank hands over. */
    int givers();

    /** The number of elements of one of them. */
    long gives(int part);

    /** How many arrays the rank receives in. */
    int takers();

    /** The number of elements of one of them. */
    long takes(int part);

    /** How many values of a {@code double[]}. */
    int count();

    /** The colour of a split. */
    int colour();

    /** The key of a split. */
    int key();

    /** The call as a person would write it, with sizes. */
    default String describe() {
        CallKind kind = kind();
        StringJoiner text = new StringJoiner(", ", kind.title() + "(", ")");
        if (op() != null) text.add(String.valueOf(op()));
        switch (kind) {
            case BARRIER -> {}
            case SPLIT -> text.add("colour " + colour()).add("key " + key());
            case ALL_REDUCE_VALUES -> text.add(count() + " values");
            case BROADCAST, ALL_REDUCE, REDUCE -> text.add(gives(0) + " x " + dtype());
            default -> {
                if (givers() > 0) text.add("gives " + sizes(givers(), this::gives));
                if (takers() > 0) text.add("takes " + sizes(takers(), this::takes));
                text.add(String.valueOf(dtype()));
            }
        }
        if (root() != Call.NO_ROOT) text.add("root " + root());
        return text.toString();
    }

    private static String sizes(int parts, IntToLongFunction size) {
        long[] sizes = new long[parts];
        Arrays.setAll(sizes, size);
        return Arrays.toString(sizes);
    }
}
