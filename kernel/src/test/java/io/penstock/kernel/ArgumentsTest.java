package io.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.penstock.runtime.Scope;
import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ArgumentsTest {
    private Scope scope;

    @BeforeEach
    void openScope() {
        scope = Scope.open();
    }

    @AfterEach
    void closeScope() {
        scope.close();
    }

    static void scalars(
            WorkItem at, Doubles out, byte b, short s, char c, int i, long l, float f, double d, boolean t) {
        out.set(0, b);
        out.set(1, s);
        out.set(2, c);
        out.set(3, i);
        out.set(4, (double) l);
        out.set(5, f);
        out.set(6, d);
        out.set(7, t ? (double) at.sizeX() : 0);
    }

    @Test
    void takesScalarsOfAllTypesWideningWithoutLoss() {
        Kernel kernel = Kernel.of(MethodHandles.lookup(), ArgumentsTest.class, "scalars");
        Doubles out = Memory.doubles(8);
        kernel.over(1).launch(out, (byte) -1, (short) 2, 'c', 3, 4L, 5f, 6.5, true);
        assertThat(read(out)).containsExactly(-1, 2, 'c', 3, 4, 5, 6.5, 1);
        kernel.over(1).launch(out, (byte) 1, (byte) 2, 'c', 'd', 'e', (byte) 5, 6f, false);
        assertThat(read(out)).containsExactly(1, 2, 'c', 'd', 'e', 5, 6, 0);
        kernel.over(1).launch(out, (byte) 1, (byte) 2, 'c', (short) 4, 1 << 30, 1 << 24, Long.MIN_VALUE, false);
        assertThat(read(out)).containsExactly(1, 2, 'c', 4, 1 << 30, 1 << 24, Long.MIN_VALUE, 0);
    }

    private static double[] read(Doubles values) {
        double[] result = new double[(int) values.length()];
        for (int i = 0; i < result.length; i++) result[i] = values.get(i);
        return result;
    }

    private static void mixed(WorkItem at, Floats a, Doubles b, int column, float weight) {
        a.set(at.x(), weight * column + (float) b.get(at.x()));
    }

    @Test
    void refusesArgumentsThatDoNotFit() {
        RangedKernel kernel = Kernel.of(ArgumentsTest::mixed).over(1);
        Floats a = Memory.floats(1);
        Doubles b = Memory.doubles(1);
        assertRefused(
                kernel, "was given 3 arguments; expected 4: Floats a, Doubles b, int column, float weight", a, b, 1);
        assertRefused(
                kernel,
                "argument 1 (a) of kernel ArgumentsTest.mixed is an array of Doubles; expected Floats",
                b,
                b,
                1,
                1f);
        assertRefused(kernel, "argument 2 (b) of kernel ArgumentsTest.mixed is null; expected Doubles", a, null, 1, 1f);
        assertRefused(
                kernel, "argument 3 (column) of kernel ArgumentsTest.mixed is 1, a Long; expected int", a, b, 1L, 1f);
        assertRefused(
                kernel,
                "argument 4 (weight) of kernel ArgumentsTest.mixed is 1.5, a Double; expected float",
                a,
                b,
                1,
                1.5);
        assertRefused(kernel, "is 16777217, a Integer; expected float", a, b, 1, (1 << 24) + 1);
        assertRefused(kernel, "expected float", a, b, 1, Long.MAX_VALUE);
        assertRefused(kernel, "expected int", a, b, true, 1f);
        assertRefused(kernel, "expected int", a, b, a, 1f);
        assertRefused(
                kernel,
                "argument 1 (a) of kernel ArgumentsTest.mixed is text, a String; expected Floats",
                "text",
                b,
                1,
                1f);
        kernel.launch(a, b, 'c', 1f);
    }

    @SuppressWarnings("NullAway")
    private static void assertRefused(RangedKernel kernel, String message, @Nullable Object... arguments) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> kernel.launch(arguments))
                .withMessageContaining(message);
    }

    @Test
    void refusesWhatIsNoKernel() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Kernel.of((WorkItem at, String text) -> System.out.println(text)))
                .withMessageContaining(
                        "java.lang.String; expected a primitive, a record of primitives or an element view");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Kernel.of(ArgumentsTest::returns))
                .withMessageContaining("returns int; expected void");
        int[] heap = {1};
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Kernel.of((WorkItem at, Ints out) -> out.set(at.x(), heap[0])))
                .withMessageContaining("captures int[]; expected primitives, records of them or element views");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Kernel.of((WorkItem at, Ints out) -> out.set(at.x(), field)))
                .withMessageContaining("is not static");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Kernel.of(new KernelBody.Of0() {
                    @Override
                    public void run(WorkItem at) {}
                }))
                .withMessageContaining("expected a lambda or a reference to a static method");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Kernel.of(MethodHandles.lookup(), ArgumentsTest.class, "absent"))
                .withMessageContaining("has 0 static methods named absent");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Kernel.of(MethodHandles.publicLookup(), ArgumentsTest.class, "secret"))
                .withMessageContaining("cannot be reached with the lookup");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Kernel.of(MethodHandles.lookup(), ArgumentsTest.class, "noItem"))
                .withMessageContaining("takes a Ints first; expected a WorkItem");
        assertThatNullPointerException().isThrownBy(() -> Kernel.of((KernelBody.Of0) nothing()));
    }

    private final int field = 3;

    @SuppressWarnings("NullAway")
    private static KernelBody nothing() {
        return null;
    }

    private static int returns(WorkItem at, Ints out) {
        return out.get(at.x());
    }

    static void secret(WorkItem at) {
        assertThat(at).isNull();
    }

    static void noItem(Ints out) {
        out.set(0, 1);
    }
}
