package io.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.runtime.Scope;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KernelExceptionTest {
    private Scope scope;

    @BeforeEach
    void openScope() {
        scope = Scope.open();
    }

    @AfterEach
    void closeScope() {
        scope.close();
    }

    private static void shift(WorkItem at, Floats out, Floats in) {
        if (at.x() == 3 && at.y() == 4) out.set(at.y(), at.x(), read(in, at));
    }

    private static float read(Floats in, WorkItem at) {
        return in.get(at.y(), at.x() + 8);
    }

    private static KernelException failure(RangedKernel kernel, Object... arguments) {
        KernelException e = catchThrowableOfType(KernelException.class, () -> kernel.launch(arguments));
        assertThat(e).isNotNull();
        return e;
    }

    @Test
    void saysWhichArrayIndexLineAndItem() {
        Floats out = Memory.floats(10, 11);
        Floats in = Memory.floats(10, 11);
        KernelException e = failure(Kernel.of(KernelExceptionTest::shift).over(10, 11), out, in);
        assertThat(e)
                .hasMessageMatching("kernel KernelExceptionTest.shift \\(KernelExceptionTest.java:\\d+\\) failed on"
                        + " device jvm at work-item \\(x=3, y=4\\) of 10 rows x 11 columns: array in: index 11 in dimension 1; expected 0 to"
                        + " 10 for shape \\(10, 11\\)")
                .hasCauseInstanceOf(IndexOutOfBoundsException.class);
        assertThat(e.kernel()).isEqualTo("KernelExceptionTest.shift");
        assertThat(new long[] {e.x(), e.y(), e.z()}).containsExactly(3, 4, 0);
        assertThat(e.line()).isEqualTo(lineOf(e.getCause(), "read"));
        assertThat(e.getStackTrace()).anyMatch(frame -> frame.getMethodName().equals("saysWhichArrayIndexLineAndItem"));
    }

    private static int lineOf(@Nullable Throwable thrown, String method) {
        if (thrown == null) throw new AssertionError("no cause");
        for (StackTraceElement frame : thrown.getStackTrace())
            if (frame.getMethodName().equals(method)) return frame.getLineNumber();
        return -1;
    }

    private static void divide(WorkItem at, Ints out, int by) {
        out.set(at.x(), 10 / (by - (int) (at.x() * at.sizeX() + at.y())));
    }

    @Test
    void laterLaunchesWork() {
        Ints out = Memory.ints(4);
        RangedKernel kernel = Kernel.of(KernelExceptionTest::divide).over(2, 3, 4);
        for (int round = 0; round < 100; round++) {
            KernelException e = failure(kernel, out, 5);
            assertThat(e).hasCauseInstanceOf(ArithmeticException.class).hasMessageContaining("/ by zero");
            assertThat(e.getMessage()).containsPattern("x=1, y=1, z=[01]");
            kernel.launch(out, 1000);
            assertThat(out.get(0)).isZero();
        }
    }

    @Test
    void errorsAndCheckedThrowablesArriveToo() {
        KernelException deep =
                failure(Kernel.of((WorkItem at) -> endless(at.x())).over(1));
        assertThat(deep).hasCauseInstanceOf(StackOverflowError.class);
        KernelException asserted = failure(Kernel.of((WorkItem at) -> {
                    if (at.x() == 2) throw new AssertionError("not two");
                })
                .over(5));
        assertThat(asserted).hasCauseInstanceOf(AssertionError.class).hasMessageContaining("not two");
        assertThat(asserted.x()).isEqualTo(2);
    }

    @SuppressWarnings("InfiniteRecursion")
    private static long endless(long x) {
        return 1 + endless(x + 1);
    }

    @Test
    void capturedArraysAreNamed() {
        Ints table = Memory.ints(3);
        KernelException e = failure(
                Kernel.of((WorkItem at, Ints out) -> out.set(at.x(), table.get(at.x() + 3)))
                        .over(1),
                Memory.ints(1));
        assertThat(e).hasMessageContaining("array table: index 3 in dimension 0; expected 0 to 2");
    }
}
