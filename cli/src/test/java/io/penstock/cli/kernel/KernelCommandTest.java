package io.penstock.cli.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.cli.Program;
import io.penstock.kernel.Doubles;
import io.penstock.kernel.Floats;
import io.penstock.kernel.WorkItem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KernelCommandTest {
    private static final String NAME = "io.penstock.cli.kernel.KernelCommandTest::";

    static void scale(WorkItem at, Floats out, Floats in, float by) {
        out.set(at.x(), by * in.get(at.x()));
    }

    static void sines(WorkItem at, Doubles out) {
        out.set(at.x(), Math.sin(Math.cos(Math.tan(out.get(at.x())))));
    }

    static void print(WorkItem at, Floats out) {
        System.out.println(out.get(at.x()));
    }

    @ParameterizedTest
    @CsvSource({
        "ir, 'float v5 = mul by, v4'",
        "cuda, 'v5 = FMUL(by_2, v4);'",
        "opencl, '__kernel void KernelCommandTest_scale('",
        "jvm, 'float v5 = mul by, v4'"
    })
    void showsCodeWithTheLinesOfTheSource(String target, String expected) {
        Program program = Program.run("kernel", "--show", target, NAME + "scale");
        assertThat(program.err()).isEmpty();
        assertThat(program.out()).contains(expected).containsPattern("// KernelCommandTest.java:\\d+");
        assertThat(program.status()).isZero();
    }

    @Test
    void showsWhatIsKeptOnDisk() {
        Program program = Program.run("cache");
        assertThat(program.err()).isEmpty();
        assertThat(program.out()).containsPattern("\\d+ compiled kernels, \\d+\\.\\d MB, in .+\\.");
    }

    @Test
    void saysHowTheJvmRunsIt() {
        String scale = Program.run("kernel", "--show", "jvm", NAME + "scale").out();
        assertThat(scale).containsPattern("in vectors of \\d+ items").contains("one vector");
        String sines = Program.run("kernel", "--show", "jvm", NAME + "sines").out();
        assertThat(sines).contains("one item at a time: most of the work has no vector form");
    }

    @Test
    void leavesChecksOutWhenAsked() {
        assertThat(Program.run("kernel", "--show", "cuda", NAME + "scale").out())
                .contains("fail(failure, launch, 0");
        assertThat(Program.run("kernel", "--show", "cuda", "--unchecked", NAME + "scale")
                        .out())
                .doesNotContain("fail(failure, launch, 0");
    }

    @ParameterizedTest
    @CsvSource({
        "print, 1, uses the field out",
        "missing, 1, '0 static methods named missing that take a WorkItem; expected one of [print, scale, sines]'",
    })
    void saysWhatIsWrongWithTheKernel(String method, int status, String message) {
        Program program = Program.run("kernel", NAME + method);
        assertThat(program.status()).isEqualTo(status);
        assertThat(program.out()).isEmpty();
        assertThat(program.err()).contains(message);
    }

    @Test
    void wantsAClassAndAMethod() {
        Program program = Program.run("kernel", "copyColumn");
        assertThat(program.status()).isEqualTo(2);
        assertThat(program.err()).contains("kernel is copyColumn; expected Class::method");
        assertThat(Program.run("kernel", "no.such.Type::method").err()).contains("no class no.such.Type");
        assertThat(Program.run("kernel", "--class-path", "nosuch", "no.such.Type::method")
                        .err())
                .contains("--class-path has nosuch; there is no such folder or jar");
    }
}
