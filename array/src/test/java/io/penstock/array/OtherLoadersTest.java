package io.penstock.array;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that have a loader of their own, as single source files, JShell, notebooks and servers give them. */
class OtherLoadersTest {
    private static final String PROGRAM = """
            import io.penstock.array.*;

            class Program {
                private static double twice(double v) {
                    return 2 * v;
                }

                static String run() {
                    double captured = 3;
                    double a = 2, b = 1;
                    NDArray x = NDArray.of(1, -2, 5), y = NDArray.of(1, 1, 2);
                    return String.join(" ",
                            NDArray.map(v -> v > captured ? v : -v, x).toString(),
                            NDArray.map(Program::twice, x).toString(),
                            NDArray.map((v, w) -> a * v + b + w, x, y).toString(),
                            NDArray.mapFloats(v -> v + 1, x.as(DType.F32)).toString(),
                            NDArray.mapLongs(v -> v << 1, x.as(DType.I64)).toString(),
                            x.scan((s, t) -> s + t, 0, 0).toString(),
                            x.reduce(Math::max, Double.NEGATIVE_INFINITY).toString(),
                            NDArray.mapReduce((double v) -> v * v, (s, t) -> s + t, 0, x).toString());
                }
            }
            """;

    private static URLClassLoader compiled(Path folder, String packageName, String name, ClassLoader parent)
            throws Exception {
        Path source = folder.resolve(name + ".java");
        String program = PROGRAM.replace("Program", name);
        Files.writeString(source, packageName.isEmpty() ? program : "package " + packageName + ";\n" + program);
        List<String> arguments =
                List.of("-d", folder.toString(), "-cp", System.getProperty("java.class.path"), source.toString());
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
        return new URLClassLoader(new URL[] {folder.toUri().toURL()}, parent);
    }

    private static String run(ClassLoader loader, String packageName, String name) throws Exception {
        Class<?> program = loader.loadClass(packageName.isEmpty() ? name : packageName + "." + name);
        var method = program.getDeclaredMethod("run");
        method.setAccessible(true);
        return (String) method.invoke(null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "some.program"})
    void functionsOfAnotherLoadersClassesApplyToElements(String packageName, @TempDir Path folder) throws Exception {
        String expected = Stream.of(
                        NDArray.of(-1, 2, 5),
                        NDArray.of(2, -4, 10),
                        NDArray.of(4, -2, 13),
                        NDArray.ofFloats(2, -1, 6),
                        NDArray.ofLongs(2, -4, 10),
                        NDArray.of(1, -1, 4),
                        NDArray.of(5).reshape(),
                        NDArray.of(30).reshape())
                .map(NDArray::toString)
                .reduce("", (a, b) -> a.isEmpty() ? b : a + " " + b);
        ClassLoader own = OtherLoadersTest.class.getClassLoader();
        Path apart = Files.createDirectory(folder.resolve("apart"));
        try (URLClassLoader loader = compiled(folder, packageName, "Program", own);
                URLClassLoader child = compiled(apart, packageName, "Plugin", loader)) {
            assertThat(run(loader, packageName, "Program")).isEqualTo(expected);
            assertThat(run(child, packageName, "Plugin")).isEqualTo(expected);
        }
    }
}
