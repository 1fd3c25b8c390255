package io.penstock.kernel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.runtime.DeviceCode;
import io.penstock.runtime.DeviceProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramCacheTest {
    @TempDir
    private Path folder;

    /** A compiler whose programs are its name and the text. */
    private static final class Counting implements DeviceCode {
        private final String name;
        private final AtomicInteger compiled = new AtomicInteger();

        Counting(String name) {
            this.name = name;
        }

        @Override
        public Language language() {
            return Language.OPENCL;
        }

        @Override
        public String identity() {
            return name;
        }

        @Override
        public int mostGroupItems() {
            return 1;
        }

        @Override
        public long mostGroupBytes() {
            return 0;
        }

        @Override
        public int processors() {
            return 1;
        }

        @Override
        public byte[] compile(String source, List<String> options) {
            compiled.incrementAndGet();
            return (name + source + options).getBytes(UTF_8);
        }

        @Override
        public DeviceProgram load(byte[] binary) {
            throw new UnsupportedOperationException("nothing is loaded here");
        }
    }

    private static String compiled(ProgramCache cache, Counting device, String source, String... options) {
        return new String(cache.compiled(device, source, List.of(options)).binary(), UTF_8);
    }

    @Test
    void compilesOnceForEachTextOptionsAndDevice() {
        Counting one = new Counting("one");
        Counting other = new Counting("other");
        for (int k = 0; k < 3; k++) {
            ProgramCache cache = new ProgramCache(folder.resolve("new/folder"));
            assertThat(compiled(cache, one, "a")).isEqualTo("onea[]");
            assertThat(compiled(cache, one, "b")).isEqualTo("oneb[]");
            assertThat(compiled(cache, one, "a", "-x")).isEqualTo("onea[-x]");
            assertThat(compiled(cache, other, "a")).isEqualTo("othera[]");
        }
        assertThat(one.compiled).hasValue(3);
        assertThat(other.compiled).hasValue(1);
        ProgramCache cache = new ProgramCache(folder.resolve("new/folder"));
        assertThat(cache.content().programs()).isEqualTo(4);
        assertThat(cache.clear()).isEqualTo(4);
        assertThat(cache.content()).isEqualTo(new ProgramCache.Content(0, 0));
    }

    @Test
    void aDamagedProgramIsCompiledAnew() throws IOException {
        Counting device = new Counting("one");
        ProgramCache cache = new ProgramCache(folder);
        compiled(cache, device, "a");
        try (Stream<Path> files = Files.list(folder)) {
            Path file = files.findFirst().orElseThrow();
            byte[] bytes = Files.readAllBytes(file);
            bytes[bytes.length - 1] ^= 1;
            Files.write(file, bytes);
        }
        assertThat(compiled(cache, device, "a")).isEqualTo("onea[]");
        assertThat(compiled(cache, device, "a")).isEqualTo("onea[]");
        assertThat(device.compiled).hasValue(2);
    }

    @Test
    void worksWithoutAFolderAndWithOneThatCannotBeWritten() throws IOException {
        Counting device = new Counting("one");
        assertThat(compiled(new ProgramCache(null), device, "a")).isEqualTo("onea[]");
        Path file = Files.writeString(folder.resolve("file"), "no folder");
        ProgramCache broken = new ProgramCache(file);
        assertThat(compiled(broken, device, "a")).isEqualTo("onea[]");
        assertThat(compiled(broken, device, "a")).isEqualTo("onea[]");
        assertThat(device.compiled).hasValue(3);
    }

    @Test
    void whatIsThereIsReadAlsoOnceAWriteHasFailed() throws IOException {
        Counting device = new Counting("one");
        compiled(new ProgramCache(folder), device, "a");
        String other = new ProgramCache(folder).compiled(device, "b", List.of()).name();
        Path inTheWay = folder.resolve(other + ".kernel");
        Files.delete(inTheWay);
        Files.createDirectories(inTheWay.resolve("full"));

        ProgramCache cache = new ProgramCache(folder);
        assertThat(cache.compiled(device, "b", List.of()).kept()).isFalse();
        assertThat(cache.compiled(device, "a", List.of()).kept()).isTrue();
        assertThat(cache.isOff()).isFalse();
        assertThat(cache.compiled(device, "c", List.of()).kept()).isFalse();
        assertThat(new ProgramCache(folder).compiled(device, "c", List.of()).kept())
                .as("that a folder which has refused a write was asked again")
                .isFalse();
    }

    @Test
    void whatKilledProcessesHaveLeftIsRemovedAfterAnHour() throws IOException {
        Counting device = new Counting("one");
        Path old = Files.createFile(folder.resolve("new1.part"));
        Path young = Files.createFile(folder.resolve("new2.part"));
        FileTime twoHoursAgo = FileTime.from(Instant.now().minus(Duration.ofHours(2)));
        Files.setLastModifiedTime(old, twoHoursAgo);
        ProgramCache cache = new ProgramCache(folder);
        compiled(cache, device, "a");
        assertThat(old).doesNotExist();
        assertThat(young).exists();

        Files.setLastModifiedTime(young, twoHoursAgo);
        assertThat(cache.clear()).isEqualTo(1);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void manyMayUseOneFolderAtATime() {
        Counting device = new Counting("one");
        assertThat(IntStream.range(0, 400)
                        .parallel()
                        .mapToObj(k -> compiled(new ProgramCache(folder), device, "source " + k % 10))
                        .distinct())
                .hasSize(10);
        assertThat(new ProgramCache(folder).content().programs()).isEqualTo(10);
    }
}
