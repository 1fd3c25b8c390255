package io.penstock.cli.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That the documents say what is so: the example runs, and links and pictures lead somewhere. */
class DocumentsTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Pattern LINK = Pattern.compile("]\\(([^)#]+)(#[^)]*)?\\)");

    @TempDir
    private Path folder;

    @Test
    void theExampleOfTheReadmeIsTheOneThatIsCompiled() throws IOException {
        String source =
                Files.readString(ROOT.resolve("cli/src/test/java/io/penstock/cli/documents/ReadmeExample.java"));
        String marked = source.substring(source.indexOf("// README begins"), source.indexOf("// README ends"));
        String example = marked.lines()
                .skip(1)
                .map(String::strip)
                .collect(Collectors.joining("\n"))
                .strip();
        String readme = Files.readString(ROOT.resolve("README.md"))
                .lines()
                .map(String::strip)
                .collect(Collectors.joining("\n"));
        assertThat(readme).contains(example);
    }

    @Test
    void theExampleOfTheReadmeInverts() {
        Path file = folder.resolve("inverted.npy");
        ReadmeExample.invert(file);
        NDArray inverted = NDArray.load(file);
        assertThat(inverted.shape()).containsExactly(80, 400);
        NDArray model = NDArray.zeros(DType.F64, 80, 400);
        for (int i = 0; i < 80; i++) for (int j = 0; j < 400; j++) model.set(8 + Math.sin(0.1 * j + 0.05 * i), i, j);
        assertThat(inverted.subtract(model).norm()).isLessThan(0.05 * model.norm());
    }

    @Test
    void linksLeadSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path document : documents()) {
            Matcher link = LINK.matcher(Files.readString(document));
            while (link.find()) {
                String target = link.group(1);
                if (target.startsWith("http")) continue;
                if (!Files.exists(document.getParent().resolve(target)))
                    broken.add(ROOT.relativize(document) + " -> " + target);
            }
        }
        assertThat(broken).isEmpty();
    }

    private static List<Path> documents() throws IOException {
        List<Path> documents = new ArrayList<>();
        for (Path folder : List.of(ROOT, ROOT.resolve("docs"), ROOT.resolve("docs/decisions"))) {
            try (Stream<Path> files = Files.list(folder)) {
                files.filter(file -> file.toString().endsWith(".md")).forEach(documents::add);
            }
        }
        assertThat(documents).hasSizeGreaterThan(8);
        return documents;
    }
}
