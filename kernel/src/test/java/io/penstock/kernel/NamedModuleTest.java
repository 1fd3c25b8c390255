package io.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.runtime.Scope;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamedModuleTest {
    private static final String PROGRAM = """
            package app;

            import io.penstock.kernel.*;

            public final class Program {
                private static void fill(WorkItem at, Ints out, int value) {
                    out.set(at.x(), value);
                }

                public static String run(Ints out) {
                    Kernel.of(Program::fill).over(4).launch(out, 5);
                    int captured = 7;
                    long offset = 1;
                    Kernel.of((WorkItem at, Ints to) -> to.set(at.x() + offset, to.get(at.x() + offset) + captured))
                            .over(2).launch(out);
                    try {
                        Kernel.of(Program::fill).over(9).launch(out, 1L);
                        return "no error";
                    } catch (IllegalArgumentException e) {
                        return e.getMessage();
                    }
                }
            }
            """;

    @TempDir
    private Path folder;

    private Path compile(boolean module) throws Exception {
        Path sources = Files.createDirectories(folder.resolve("src/app"));
        Files.writeString(sources.resolve("Program.java"), PROGRAM);
        Path classes = folder.resolve("classes");
        List<String> arguments = List.of(
                "-g",
                "-d",
                classes.toString(),
                "-cp",
                System.getProperty("java.class.path"),
                sources.resolve("Program.java").toString());
        if (module) {
            Files.writeString(folder.resolve("src/module-info.java"), "module app { exports app; }");
            arguments = new java.util.ArrayList<>(arguments);
            arguments.addAll(List.of(
                    "--add-reads",
                    "app=ALL-UNNAMED",
                    folder.resolve("src/module-info.java").toString()));
        }
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
        return classes;
    }

    private static void assertRuns(Class<?> program) throws Exception {
        try (Scope scope = Scope.open()) {
            Ints out = Memory.ints(4);
            Object message = program.getMethod("run", Ints.class).invoke(null, out);
            assertThat(new int[] {out.get(0), out.get(1), out.get(2), out.get(3)})
                    .containsExactly(5, 12, 12, 5);
            assertThat(message)
                    .asString()
                    .contains("is 1, a Long; expected int")
                    .contains("Program.fill");
            assertThat(scope).isNotNull();
        }
    }

    @Test
    void privateKernelsOfAModuleThatOpensNothing() throws Exception {
        ModuleFinder finder = ModuleFinder.of(compile(true));
        Configuration configuration =
                ModuleLayer.boot().configuration().resolve(finder, ModuleFinder.of(), Set.of("app"));
        ModuleLayer.Controller controller = ModuleLayer.defineModulesWithOneLoader(
                configuration, List.of(ModuleLayer.boot()), NamedModuleTest.class.getClassLoader());
        Module app = controller.layer().findModule("app").orElseThrow();
        controller.addReads(app, NamedModuleTest.class.getModule());
        Class<?> program = app.getClassLoader().loadClass("app.Program");
        assertThat(program.getModule().isOpen("app", Kernel.class.getModule())).isFalse();
        assertRuns(program);
    }

    @Test
    void aClassLoaderWhoseKernelsRanCanBeCollected() throws Exception {
        WeakReference<ClassLoader> loader = runInOwnLoader(compile(false));
        for (int i = 0; i < 50 && loader.get() != null; i++) {
            System.gc();
            Thread.sleep(20);
        }
        assertThat(loader.get()).isNull();
    }

    private static WeakReference<ClassLoader> runInOwnLoader(Path classes) throws Exception {
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {classes.toUri().toURL()}, NamedModuleTest.class.getClassLoader())) {
            assertRuns(loader.loadClass("app.Program"));
            return new WeakReference<>(loader);
        }
    }
}
