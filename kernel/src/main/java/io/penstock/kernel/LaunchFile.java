package io.penstock.kernel;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the disk keeps of a kernel's launches on a kind of device.
 *
 * @param origin all that the launches' plans and programs depend on beside class files
 * @param classes the class files that the compiler has looked at, as they were
 * @param launches the launches, the newest first
 */
record LaunchFile(String origin, List<ClassSum> classes, List<Kept> launches) {
    LaunchFile {
        classes = List.copyOf(classes);
        launches = List.copyOf(launches);
    }

    /** A launch that is kept. */
    static final class Kept {
        private final LaunchKey key;
        private final String program;
        private final long programSum;
        private final byte[] plan;

        Kept(LaunchKey key, String program, long programSum, byte[] plan) {
            this.key = key;
            this.program = program;
            this.programSum = programSum;
            this.plan = plan;
        }

        LaunchKey key() {
            return key;
        }

        /** The name of its program in the {@link ProgramCache}. */
        String program() {
            return program;
        }

        /** Whether another launch is of the same shape, also as to which views overlap. */
        boolean isSame(Kept other) {
            return key.equals(other.key) && Arrays.equals(plan, other.plan);
        }

        /** Whether bytes are those of its program. */
        boolean isProgram(byte[] binary) {
            return Checksum.of(binary) == programSum;
        }

        /**
         * Its plan.
         *
         * @throws IOException when it cannot be read
         */
        LaunchPlan plan() throws IOException {
            return PlanBytes.read(plan);
        }
    }

    byte[] bytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeUTF(origin);
            out.writeInt(classes.size());
            for (ClassSum one : classes) {
                out.writeUTF(one.name());
                out.writeInt(one.bytes());
                out.writeLong(one.sum());
                out.writeUTF(one.assertions().name());
            }
            out.writeInt(launches.size());
            for (Kept one : launches) {
                PlanBytes.writeLongs(out, one.key.words());
                out.writeUTF(one.program);
                out.writeLong(one.programSum);
                out.writeInt(one.plan.length);
                out.write(one.plan);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** What bytes hold; null when it is nothing of this origin. */
    static @Nullable LaunchFile of(byte[] bytes, String origin) {
        try {
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
            if (!in.readUTF().equals(origin)) return null;
            List<ClassSum> classes = new ArrayList<>();
            for (int k = in.readInt(); k > 0; k--) {
                String name = in.readUTF();
                int length = in.readInt();
                long sum = in.readLong();
                classes.add(new ClassSum(name, length, sum, ClassSum.Assertions.valueOf(in.readUTF())));
            }
            List<Kept> launches = new ArrayList<>();
            for (int k = in.readInt(); k > 0; k--) {
                LaunchKey key = new LaunchKey(PlanBytes.readLongs(in));
                String program = in.readUTF();
                long sum = in.readLong();
                int length = in.readInt();
                if (length < 0 || length > in.available()) return null;
                launches.add(new Kept(key, program, sum, in.readNBytes(length)));
            }
            return new LaunchFile(origin, classes, launches);
        } catch (IOException | IllegalArgumentException e) {
            return null;
        }
    }
}
