package io.penstock.cli.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JsonTest {
    @TempDir
    private Path folder;

    private record Point(double x, List<Double> history) {}

    @Test
    void whatIsWrittenIsRead() throws IOException {
        Path file = folder.resolve("a.json");
        Json.write(file, Map.of("point", new Point(1.5, List.of(0.1, 1e-300)), "name", "é"));
        assertThat(Json.read(file).path("point").path("x").asDouble()).isEqualTo(1.5);
        assertThat(Json.read(file).path("point").path("history").get(1).asDouble())
                .isEqualTo(1e-300);
        assertThat(Json.read(file).path("name").asString()).isEqualTo("é");
        assertThat(Files.readString(file)).endsWith("}" + System.lineSeparator());
    }

    @Test
    void whatIsNoJsonIsRefusedWithItsPlace() throws IOException {
        Path file = Files.writeString(folder.resolve("b.json"), "{\n \"a\": 1,\n \"b\": tru\n}");
        assertThatThrownBy(() -> Json.read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("b.json, line 3, column");
        assertThatThrownBy(() -> Json.read(folder.resolve("none.json"))).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void deepNestingIsRefusedRatherThanFollowed() throws IOException {
        Path file = Files.writeString(folder.resolve("deep.json"), "[".repeat(1_000_000));
        assertThatThrownBy(() -> Json.read(file)).isInstanceOf(IllegalArgumentException.class);
    }
}
