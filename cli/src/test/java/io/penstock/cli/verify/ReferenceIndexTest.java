package io.penstock.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.testing.Seeded;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReferenceIndexTest {
    @TempDir
    private Path folder;

    private void refused(String index, String... says) throws IOException {
        Files.writeString(folder.resolve("index.json"), index);
        assertThatThrownBy(() -> ReferenceIndex.read(folder))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(says);
    }

    @Test
    void saysWhereAnIndexIsWrong() throws IOException {
        refused("", "index.json: 'cases' is missing; expected a list of cases");
        refused("{\"cases\": 3}", "'cases' is 3; expected a list of cases");
        refused("{\"cases\": [1]}", "cases[0] is 1; expected a case");
        refused(Recorded.INDEX.replace("\"op\": \"Perpetuum\",", ""), "cases[2].op is missing; expected text");
        refused(
                Recorded.INDEX.replace("\"rtol\": 0", "\"rtol\": -1"),
                "cases[2].tol.rtol is -1; expected a number, 0 or more");
        refused(
                Recorded.INDEX.replace("{\"key\": \"c000.x\"}", "{}"),
                "cases[0].arrays.x.key is missing; expected text");
        refused(
                Recorded.INDEX.replace("a.npz", "../a.npz"),
                "cases[0].file is '../a.npz'; expected the name of a file beside the index");
    }

    @Test
    void readsWhatIsRight() throws IOException {
        List<Reference> references = ReferenceIndex.read(Recorded.write(folder, Recorded.INDEX));
        assertThat(references).extracting(Reference::id).containsExactly("a/c000", "a/c001", "a/c002");
        assertThat(references.getFirst().tolerance("y")).isEqualTo(new Tolerance(1e-12, 1e-14));
        assertThat(references.getFirst().array("y").toDoubles()).containsExactly(1, 3, 5, 0);
    }

    @Test
    void anyIndexIsReadOrRefusedAndAnyCaseIsJudged() throws IOException {
        Recorded.write(folder, Recorded.INDEX);
        byte[] right = Recorded.INDEX.getBytes(StandardCharsets.UTF_8);
        Judge judge = new Judge(List.of(2));
        int[] read = new int[1];
        Seeded.cases(3000, random -> {
            byte[] index = mutated(right, random);
            try {
                Files.write(folder.resolve("index.json"), index);
                for (Reference reference : ReferenceIndex.read(folder)) {
                    assertThat(judge.judge(reference).detail()).isNotEmpty();
                    read[0]++;
                }
            } catch (IllegalArgumentException e) {
                assertThat(e.getMessage()).contains("index.json");
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        assertThat(read[0]).as("cases that could still be judged").isGreaterThan(100);
    }

    private static byte[] mutated(byte[] right, SplittableRandom random) {
        byte[] bytes = right.clone();
        for (int i = random.nextInt(1, 4); i > 0; i--) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(5)) {
                case 0 -> bytes[at] = (byte) random.nextInt(256);
                case 1 -> bytes[at] = (byte) "{}[]\",:0123456789-+.eE".charAt(random.nextInt(22));
                case 2 -> bytes = Arrays.copyOf(bytes, at + 1);
                case 3 -> {
                    int length = Math.min(random.nextInt(64), bytes.length - at);
                    System.arraycopy(right, random.nextInt(right.length - length), bytes, at, length);
                }
                default -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            }
        }
        return bytes;
    }
}
