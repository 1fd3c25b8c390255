package io.penstock.cli.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** Javadoc, checked by the compiler's own checker over the main sources of all modules. */
class DocumentationTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    /** A first sentence that says it all is better than a tag for each part, so missing tags are no fault; missing text is. */
    private static final List<String> ALLOWED = List.of("no @return", "no @param", "no @throws", "default constructor");

    @Test
    void allThatIsPublicIsDocumentedAndWellFormed() throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        Path classes = Files.createTempDirectory("penstock-documentation");
        try (StandardJavaFileManager files = compiler.getStandardFileManager(found, Locale.ROOT, null)) {
            List<String> options = List.of(
                    "-Xdoclint:all/protected",
                    "-Xmaxwarns",
                    "10000",
                    "-proc:none",
                    "-parameters",
                    "--add-modules",
                    "jdk.incubator.vector",
                    "-classpath",
                    System.getProperty("java.class.path"),
                    "-d",
                    classes.toString());
            compiler.getTask(null, files, found, options, null, files.getJavaFileObjectsFromPaths(sources()))
                    .call();
        } finally {
            delete(classes);
        }
        assertThat(found.getDiagnostics().stream()
                        .filter(d -> d.getKind() == Diagnostic.Kind.ERROR
                                || "compiler.warn.proc.messager".equals(d.getCode())
                                || d.getCode().contains("doclint"))
                        .filter(d -> ALLOWED.stream()
                                .noneMatch(text -> d.getMessage(Locale.ROOT).contains(text)))
                        .map(DocumentationTest::text))
                .isEmpty();
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path main : modules.map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .filter(main -> !main.getParent().getParent().getParent().endsWith("bench"))
                    .toList()) {
                try (Stream<Path> tree = Files.walk(main)) {
                    sources.addAll(tree.filter(file -> file.toString().endsWith(".java"))
                            .toList());
                }
            }
        }
        assertThat(sources).hasSizeGreaterThan(50);
        return sources;
    }

    private static String text(Diagnostic<? extends JavaFileObject> d) {
        String file = d.getSource() == null
                ? ""
                : ROOT.relativize(Path.of(d.getSource().toUri())).toString();
        return file + ":" + d.getLineNumber() + " " + d.getMessage(Locale.ROOT);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> tree = Files.walk(folder)) {
            for (Path path : tree.sorted((a, b) -> b.compareTo(a)).toList()) Files.delete(path);
        }
    }
}
