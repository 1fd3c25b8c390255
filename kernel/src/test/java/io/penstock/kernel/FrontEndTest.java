package io.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.KernelRefusedException;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.Scope;
import io.penstock.testing.Seeded;
import java.lang.invoke.MethodHandles;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrontEndTest {
    private static int field = 3;

    /** Fills a buffer with numbers of all sizes, or of a few where they are indices. */
    private static Buffer random(SplittableRandom random, long bytes) {
        Buffer buffer = Memory.bytes(bytes);
        for (long k = 0; k < bytes; k += 4)
            buffer.segment()
                    .set(
                            java.lang.foreign.ValueLayout.JAVA_INT,
                            k,
                            random.nextInt(4) == 0 ? random.nextInt(-3, 20) : random.nextInt());
        return buffer;
    }

    /** Arguments of a sample for a range of 4 rows and 6 columns, or of 6 items. */
    private static Object[] arguments(KernelCode code, SplittableRandom random) {
        return code.parameters().stream()
                .map(p -> argument(p.name(), p, random))
                .toArray();
    }

    private static Object argument(String name, io.penstock.kernel.ir.Parameter parameter, SplittableRandom random) {
        if (parameter.element() == null)
            return switch (name) {
                case "flip" -> random.nextBoolean();
                case "base" -> (char) random.nextInt();
                case "column" -> random.nextInt(6);
                case "most", "n", "kind" -> random.nextInt(10);
                default -> random.nextInt(-8, 8) / 4f;
            };
        Buffer buffer = random(random, 36 * 16);
        return switch (parameter.element()) {
            case BYTE -> Bytes.of(buffer, 36);
            case INT -> Ints.of(buffer, 36);
            case LONG -> Longs.of(buffer, 36);
            case FLOAT -> Floats.of(buffer, 6, 6);
            case DOUBLE -> Doubles.of(buffer, 6, 6);
            case COMPLEX_FLOAT -> ComplexFloats.of(buffer, 36);
            case COMPLEX_DOUBLE -> ComplexDoubles.of(buffer, 36);
        };
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "copyColumn",
                "axpy",
                "laplacian",
                "rowSums",
                "triangle",
                "everyThird",
                "strided",
                "flattened",
                "choose",
                "casts",
                "functions",
                "nested",
                "complexSquare",
                "clampedStencil"
            })
    void theIntermediateFormComputesWhatJavaDoes(String name) {
        KernelCode code = Samples.code(name);
        Kernel kernel = Kernel.of(MethodHandles.lookup(), Samples.class, name);
        Seeded.cases(20, random -> {
            try (Scope scope = Scope.open()) {
                Object[] arguments = arguments(code, random);
                byte[] before = RandomArguments.bytes(arguments);
                Range range = name.equals("laplacian") ? new Range(2, 1, 6, 6) : new Range(1, 1, 1, 6);
                new RangedKernel(kernel, range).launch(arguments);
                byte[] expected = RandomArguments.results(arguments);
                RandomArguments.restore(arguments, before);
                Interpreter.run(code, arguments, range);
                assertThat(RandomArguments.results(arguments)).isEqualTo(expected);
                assertThat(scope).isNotNull();
            }
        });
    }

    static final class Refused {
        static void creates(WorkItem at, Floats out) {
            java.util.BitSet some = new java.util.BitSet();
            out.set(at.x(), some.length());
        }

        static void reads(WorkItem at, Ints out) {
            out.set(at.x(), field++);
        }

        static void recursive(WorkItem at, Ints out) {
            out.set(at.x(), fibonacci((int) at.x()));
        }

        private static int fibonacci(int n) {
            return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
        }

        static void chooses(WorkItem at, Ints one, Ints other) {
            Ints out = at.x() > 3 ? one : other;
            out.set(at.x(), 1);
        }

        static void computesLength(WorkItem at, Ints out) {
            int[] some = new int[(int) at.x()];
            out.set(at.x(), some.length);
        }

        static void nests(WorkItem at, Ints out) {
            int[][] some = new int[2][2];
            out.set(at.x(), some.length);
        }

        static void mixesArrays(WorkItem at, Ints out) {
            int[] one = {1, 2};
            int[] other = {3, 4};
            int[] some = at.x() > 2 ? one : other;
            out.set(at.x(), some[0]);
        }

        static void parts(WorkItem at, Ints out) {
            if (at.x() > 3) at.barrier();
            out.set(at.x(), 1);
        }

        static void failsBehindABarrier(WorkItem at, Ints out) {
            if (at.x() > 3) {
                at.barrier();
                throw new IllegalStateException("item " + at.x());
            }
            out.set(at.x(), 1);
        }

        static void returnsEarly(WorkItem at, Ints out) {
            if (out.get(at.x()) > 3) return;
            at.barrier();
            out.set(at.x(), 1);
        }

        static void loopsApart(WorkItem at, Ints out) {
            for (int k = 0; k < at.localX(); k++) at.barrier();
            out.set(at.x(), 1);
        }

        static void sharesByData(WorkItem at, Ints out) {
            Ints shared = at.localInts(out.get(0));
            shared.set(at.localX(), 1);
        }

        static void rethrows(WorkItem at, Ints out) {
            RuntimeException e = new IllegalStateException();
            out.set(at.x(), e.hashCode());
        }

        static void prints(WorkItem at) {
            System.out.println("item " + at.x());
        }

        static void boxes(WorkItem at, Ints out) {
            Integer boxed = (int) at.x();
            out.set(at.x(), boxed);
        }

        static void catches(WorkItem at, Ints out) {
            try {
                out.set(at.x(), 1);
            } catch (IndexOutOfBoundsException e) {
                out.set(0, 1);
            }
        }

        static void concatenates(WorkItem at, Ints out) {
            out.set(at.x(), ("item " + at.x()).length());
        }

        static void calls(WorkItem at, Ints out) {
            out.set(at.x(), (int) System.nanoTime());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "creates, creates an object of BitSet, local variables",
        "computesLength, creates an array of a computed length, constant",
        "nests, of objects or of arrays, one array of numbers",
        "mixesArrays, one array or another, condition",
        "parts, perhaps only some items, where all items",
        "failsBehindABarrier, perhaps only some items, where all items",
        "returnsEarly, perhaps only some items, where all items",
        "loopsApart, perhaps only some items, where all items",
        "sharesByData, whose size is not known, scalars",
        "rethrows, on an object, numbers",
        "reads, uses the field, argument",
        "recursive, recursively, loop",
        "chooses, one array or another, condition",
        "prints, uses the field out, argument",
        "boxes, boxes a number, primitive",
        "catches, catches exceptions, beforehand",
        "concatenates, on an object, numbers",
        "calls, calls System.nanoTime, written in Java"
    })
    void saysWhatKernelsCannot(String method, String construct, String instead) {
        assertThatThrownBy(() -> Samples.code(Refused.class, method))
                .isInstanceOf(KernelRefusedException.class)
                .hasMessageContaining("FrontEndTest.java:")
                .hasMessageContaining("FrontEndTest.Refused.")
                .hasMessageContaining(construct)
                .hasMessageContaining(instead);
    }

    @Test
    void theListingNamesValuesAndLines() {
        assertThat(Samples.code("copyColumn").toString().lines().map(line -> line.replaceAll(" +// .*:\\d+", "")))
                .containsExactly(
                        "kernel Samples.copyColumn",
                        "b0:",
                        "    long v3 = item_x",
                        "    long v4 = (long) column",
                        "    float v5 = b[v3, v4]",
                        "    a[v3, v4] = v5",
                        "    return");
    }
}
