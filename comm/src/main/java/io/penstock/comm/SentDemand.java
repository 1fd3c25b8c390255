package io.penstock.comm;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.array.DType;
import io.penstock.foreign.Mpi;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.HostMemory;
import org.jspecify.annotations.Nullable;

/** What another process asks for, as numbers that travel: how ranks that are processes compare their calls. */
@SuppressWarnings({"EnumOrdinal", "ArrayRecordComponent"
}) // all ranks run the same program; the record never leaves the comparison
record SentDemand(
        CallKind kind,
        int root,
        @Nullable ReduceOp op,
        @Nullable DType dtype,
        int count,
        int colour,
        int key,
        long[] sizes)
        implements Demand {
    private static final int HEAD = 8;

    /** The calls of all ranks. */
    static Demand[] exchange(MpiWorld world, long comm, int size, Call mine) {
        // What a rank hands over and takes is one array, or one for each rank.
        int words = HEAD + 2 * size;
        Mpi mpi = world.mpi();
        long int64 = world.library().abi().types().int64();
        try (Buffer buffer = Parcel.buffer(8L * words * (size + 1L))) {
            long at = buffer.address();
            long[] numbers = encode(mine, words);
            for (int i = 0; i < words; i++) HostMemory.ALL.set(JAVA_LONG, at + 8L * i, numbers[i]);
            long all = at + 8L * words;
            world.enter();
            try {
                world.check(mpi.allgather(at, words, int64, all, words, int64, comm), "MPI_Allgather");
            } finally {
                world.leave();
            }
            Demand[] calls = new Demand[size];
            for (int r = 0; r < size; r++) calls[r] = decode(all + 8L * words * r);
            return calls;
        }
    }

    private static long[] encode(Call call, int words) {
        long[] numbers = new long[words];
        int at = 0;
        numbers[at++] = call.kind().ordinal();
        numbers[at++] = call.root();
        numbers[at++] = ordinal(call.op());
        numbers[at++] = ordinal(call.dtype());
        numbers[at++] = call.count();
        numbers[at++] = call.kind() == CallKind.SPLIT ? ((long) call.colour() << 32) | (call.key() & 0xffff_ffffL) : 0;
        numbers[at++] = call.givers();
        numbers[at++] = call.takers();
        for (int i = 0; i < call.givers(); i++) numbers[at++] = call.gives(i);
        for (int i = 0; i < call.takers(); i++) numbers[at++] = call.takes(i);
        return numbers;
    }

    private static int ordinal(@Nullable Enum<?> value) {
        return value == null ? -1 : value.ordinal();
    }

    private static SentDemand decode(long address) {
        long[] head = new long[HEAD];
        for (int i = 0; i < HEAD; i++) head[i] = HostMemory.ALL.get(JAVA_LONG, address + 8L * i);
        int givers = (int) head[6];
        long[] sizes = new long[1 + givers + (int) head[7]];
        sizes[0] = givers;
        for (int i = 1; i < sizes.length; i++) sizes[i] = HostMemory.ALL.get(JAVA_LONG, address + 8L * (HEAD + i - 1));
        return new SentDemand(
                CallKind.values()[(int) head[0]],
                (int) head[1],
                head[2] < 0 ? null : ReduceOp.values()[(int) head[2]],
                head[3] < 0 ? null : DType.values()[(int) head[3]],
                (int) head[4],
                (int) (head[5] >> 32),
                (int) head[5],
                sizes);
    }

    @Override
    public int givers() {
        return (int) sizes[0];
    }

    @Override
    public long gives(int part) {
        return sizes[1 + part];
    }

    @Override
    public int takers() {
        return sizes.length - 1 - givers();
    }

    @Override
    public long takes(int part) {
        return sizes[1 + givers() + part];
    }
}
