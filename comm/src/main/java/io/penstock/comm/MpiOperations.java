package io.penstock.comm;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.array.DType;
import io.penstock.foreign.Mpi;
import io.penstock.foreign.MpiAbi;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * MPI's handles of element types and operations.
 *
 * <p>The smallest and largest of floating-point numbers are Java's: MPI's own compare with {@code <}, so that with a NaN the
 * result depends on the order, and ranks may even get different ones.
 */
@SuppressWarnings("EnumOrdinal") // arrays of handles by number keep the look-up at each call free
final class MpiOperations {
    private final MpiLibrary library;
    private final long[] types = new long[DType.values().length];
    private final long[] predefined = new long[ReduceOp.values().length];
    /** Made when first used, by type and operation; zero until then. */
    private final long[] own = new long[DType.values().length * ReduceOp.values().length];

    MpiOperations(MpiLibrary library) {
        this.library = library;
        MpiAbi.Types handles = library.abi().types();
        for (DType dtype : DType.values())
            types[dtype.ordinal()] = switch (dtype) {
                case U8 -> handles.uint8();
                case I32 -> handles.int32();
                case I64 -> handles.int64();
                case F32 -> handles.real32();
                case F64 -> handles.real64();
                case C64 -> handles.complex64();
                case C128 -> handles.complex128();
            };
        MpiAbi.Operations operations = library.abi().operations();
        for (ReduceOp op : ReduceOp.values())
            predefined[op.ordinal()] = switch (op) {
                case SUM -> operations.sum();
                case PROD -> operations.prod();
                case MIN -> operations.min();
                case MAX -> operations.max();
            };
    }

    long type(DType dtype) {
        return types[dtype.ordinal()];
    }

    /** Whether an operation is carried out by Java. */
    static boolean isOwn(DType dtype, ReduceOp op) {
        return dtype.kind() == DType.Kind.REAL && (op == ReduceOp.MIN || op == ReduceOp.MAX);
    }

    long operation(DType dtype, ReduceOp op) {
        if (!isOwn(dtype, op)) return predefined[op.ordinal()];
        int at = dtype.ordinal() * ReduceOp.values().length + op.ordinal();
        if (own[at] == 0) own[at] = create(dtype, op);
        return own[at];
    }

    private long create(DType dtype, ReduceOp op) {
        long function = Mpi.userFunction((in, inOut, count) -> combine(dtype, op, in, inOut, count));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = arena.allocate(8);
            library.check(library.mpi().opCreate(function, 1, handle.address()), "MPI_Op_create");
            return handle.get(JAVA_LONG, 0);
        }
    }

    private static void combine(DType dtype, ReduceOp op, long in, long inOut, long count) {
        try {
            Combine.into(dtype, op, inOut, in, count);
        } catch (Throwable e) {
            LastWords.say("a reduction failed within MPI: " + e);
            Runtime.getRuntime().halt(1);
        }
    }
}
