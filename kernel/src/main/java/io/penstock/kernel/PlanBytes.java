package io.penstock.kernel;

import io.penstock.kernel.c.SharedLayout;
import io.penstock.kernel.ir.Position;
import io.penstock.kernel.ir.Text;
import io.penstock.kernel.ir.Thrown;
import io.penstock.kernel.ir.ValueType;
import io.penstock.kernel.reach.IndexRange;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A {@link LaunchPlan} as bytes. They are read by the same version of this class only, which {@link LaunchFile} sees to. */
final class PlanBytes {
    private static final int NOWHERE = 0;
    private static final int SAME_PLACE = 1;
    private static final int PLACE = 2;

    private static final int DIVISION = 0;
    private static final int OF_VIEW = 1;
    private static final int OF_OWN_ARRAY = 2;
    private static final int OF_SHARED_ARRAY = 3;
    private static final int OF_THROW = 4;

    private PlanBytes() {}

    static byte[] write(LaunchPlan plan) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeUTF(plan.kernel());
            out.writeUTF(plan.entry());
            out.writeBoolean(plan.mayFail());
            out.writeBoolean(plan.disjoint());
            out.writeBoolean(plan.seesGroups());
            out.writeInt(plan.itemsPerThread());
            out.writeBoolean(plan.takesLayout());
            writeLongs(out, plan.narrow().toLongArray());
            out.writeLong(plan.shared().bytes());
            writeLongs(out, longs(plan.shared().offsets()));
            out.writeInt(plan.touched().size());
            for (Touched touched : plan.touched()) write(out, touched);
            out.writeInt(plan.places().size());
            Position before = null;
            for (FailurePlace place : plan.places()) {
                write(out, place.position(), before);
                before = place.position();
                write(out, place.kind());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, Touched touched) throws IOException {
        out.writeInt(touched.parameter());
        out.writeBoolean(touched.writes());
        out.writeByte(touched.indices().size());
        for (IndexRange range : touched.indices()) {
            out.writeLong(range.first());
            out.writeLong(range.last());
            out.writeLong(range.step());
        }
    }

    private static void write(DataOutputStream out, @Nullable Position position, @Nullable Position before)
            throws IOException {
        if (position == null) {
            out.writeByte(NOWHERE);
        } else if (position.equals(before)) {
            out.writeByte(SAME_PLACE);
        } else {
            out.writeByte(PLACE);
            out.writeUTF(position.method());
            out.writeUTF(position.file());
            out.writeInt(position.line());
            write(out, position.caller(), null);
        }
    }

    private static void write(DataOutputStream out, FailurePlace.Kind kind) throws IOException {
        switch (kind) {
            case FailurePlace.Division _ -> out.writeByte(DIVISION);
            case FailurePlace.OfView(int parameter, int indices) -> {
                out.writeByte(OF_VIEW);
                out.writeInt(parameter);
                out.writeInt(indices);
            }
            case FailurePlace.OfOwnArray(int length) -> {
                out.writeByte(OF_OWN_ARRAY);
                out.writeInt(length);
            }
            case FailurePlace.OfSharedArray(int indices, List<Long> shape) -> {
                out.writeByte(OF_SHARED_ARRAY);
                out.writeInt(indices);
                writeLongs(out, longs(shape));
            }
            case FailurePlace.OfThrow(Thrown thrown, List<ValueType> numbers) -> {
                out.writeByte(OF_THROW);
                out.writeUTF(thrown.exception());
                Text message = thrown.message();
                out.writeBoolean(message != null);
                if (message != null) {
                    out.writeUTF(message.recipe());
                    out.writeUTF(message.types());
                }
                out.writeByte(numbers.size());
                for (ValueType type : numbers) out.writeUTF(type.name());
            }
        }
    }

    static void writeLongs(DataOutputStream out, long[] numbers) throws IOException {
        out.writeInt(numbers.length);
        for (long number : numbers) out.writeLong(number);
    }

    private static long[] longs(List<Long> numbers) {
        long[] all = new long[numbers.size()];
        for (int k = 0; k < all.length; k++) all[k] = numbers.get(k);
        return all;
    }

    /**
     * What was written.
     *
     * @throws IOException when these bytes are not those of a plan
     */
    static LaunchPlan read(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        String kernel = in.readUTF();
        String entry = in.readUTF();
        boolean mayFail = in.readBoolean();
        boolean disjoint = in.readBoolean();
        boolean seesGroups = in.readBoolean();
        int itemsPerThread = in.readInt();
        boolean takesLayout = in.readBoolean();
        BitSet narrow = BitSet.valueOf(readLongs(in));
        long sharedBytes = in.readLong();
        SharedLayout shared = new SharedLayout(list(readLongs(in)), sharedBytes);
        List<Touched> touched = new ArrayList<>();
        for (int k = in.readInt(); k > 0; k--) touched.add(readTouched(in));
        List<FailurePlace> places = new ArrayList<>();
        Position before = null;
        for (int k = in.readInt(); k > 0; k--) {
            before = readPosition(in, before);
            places.add(new FailurePlace(readKind(in), before));
        }
        return new LaunchPlan(
                kernel,
                entry,
                touched,
                mayFail,
                disjoint,
                seesGroups,
                itemsPerThread,
                narrow,
                shared,
                takesLayout,
                places);
    }

    private static Touched readTouched(DataInputStream in) throws IOException {
        int parameter = in.readInt();
        boolean writes = in.readBoolean();
        List<IndexRange> indices = new ArrayList<>();
        for (int k = in.readByte(); k > 0; k--)
            indices.add(new IndexRange(in.readLong(), in.readLong(), in.readLong()));
        return new Touched(parameter, writes, indices);
    }

    private static @Nullable Position readPosition(DataInputStream in, @Nullable Position before) throws IOException {
        int form = in.readByte();
        if (form == NOWHERE) return null;
        if (form == SAME_PLACE) return before;
        return new Position(in.readUTF(), in.readUTF(), in.readInt(), readPosition(in, null));
    }

    private static FailurePlace.Kind readKind(DataInputStream in) throws IOException {
        int form = in.readByte();
        if (form == OF_VIEW) return new FailurePlace.OfView(in.readInt(), in.readInt());
        if (form == OF_OWN_ARRAY) return new FailurePlace.OfOwnArray(in.readInt());
        if (form == OF_SHARED_ARRAY) return new FailurePlace.OfSharedArray(in.readInt(), list(readLongs(in)));
        if (form == DIVISION) return new FailurePlace.Division();
        if (form != OF_THROW) throw new IOException("no place of kind " + form);
        String exception = in.readUTF();
        Text message = in.readBoolean() ? new Text(in.readUTF(), in.readUTF()) : null;
        List<ValueType> numbers = new ArrayList<>();
        for (int k = in.readByte(); k > 0; k--) numbers.add(ValueType.valueOf(in.readUTF()));
        return new FailurePlace.OfThrow(new Thrown(exception, message), numbers);
    }

    static long[] readLongs(DataInputStream in) throws IOException {
        int count = in.readInt();
        if (count < 0 || count > in.available() / Long.BYTES)
            throw new IOException(count + " numbers in too few bytes");
        long[] numbers = new long[count];
        for (int k = 0; k < count; k++) numbers[k] = in.readLong();
        return numbers;
    }

    private static List<Long> list(long[] numbers) {
        List<Long> all = new ArrayList<>(numbers.length);
        for (long number : numbers) all.add(number);
        return all;
    }
}
