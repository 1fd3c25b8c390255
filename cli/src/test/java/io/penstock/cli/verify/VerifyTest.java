package io.penstock.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.cli.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerifyTest {
    @TempDir
    private Path folder;

    private List<String> verify(int status, String... more) {
        String[] args = new String[more.length + 2];
        args[0] = "verify";
        args[1] = folder.toString();
        System.arraycopy(more, 0, args, 2, more.length);
        Program program = Program.run(args);
        assertThat(program.status()).as(program.toString()).isEqualTo(status);
        return program.out().lines().toList();
    }

    @Test
    void aLineForEachCaseAndASummary() throws IOException {
        Recorded.write(folder, Recorded.INDEX);
        List<String> lines = verify(0);
        assertThat(lines).hasSize(4);
        assertThat(lines.get(0)).matches("passed +a/c000 +FirstDerivative +v, y; largest deviation .*");
        assertThat(lines.get(2)).matches("not covered +a/c002 +Perpetuum +no counterpart of Perpetuum");
        assertThat(lines.get(3)).isEqualTo("2 passed, 0 failed, 1 not covered");
    }

    @Test
    void aWrongResultFails() throws IOException {
        Recorded.write(folder, Recorded.INDEX.replace("\"sampling\": 1.0", "\"sampling\": 2.0"));
        List<String> lines = verify(1, "--ranks", "3");
        assertThat(lines.get(0)).contains("FAILED", "is off by 2.500e+00; allowed is");
        assertThat(lines.get(1)).endsWith("on 3 ranks");
        assertThat(lines.getLast()).isEqualTo("0 passed, 2 failed, 1 not covered");
    }

    @Test
    void aCaseThatCannotBeComputedFailsAndSaysWhy() throws IOException {
        Recorded.write(folder, Recorded.INDEX.replace("\"kind\": \"forward\"", "\"kind\": \"sideways\""));
        assertThat(verify(1).getFirst()).contains("FAILED", "SIDEWAYS");
    }

    @Test
    void aMissingArchiveIsAFailureAndNotALackOfCover() throws IOException {
        Recorded.write(folder, Recorded.INDEX);
        Files.delete(folder.resolve("a.npz"));
        assertThat(verify(1).getLast()).isEqualTo("0 passed, 2 failed, 1 not covered");
    }

    @Test
    void onlyTheCasesAskedFor() throws IOException {
        Recorded.write(folder, Recorded.INDEX);
        assertThat(verify(0, "--only", "MPI").getLast()).isEqualTo("1 passed, 0 failed, 0 not covered");
        assertThat(verify(0, "--only", "c000$|^a/c000").getLast()).isEqualTo("1 passed, 0 failed, 0 not covered");
        assertThat(Program.run("verify", folder.toString(), "--only", "[").status())
                .isEqualTo(2);
        Program none = Program.run("verify", folder.toString(), "--only", "nothing");
        assertThat(none.status()).isEqualTo(2);
        assertThat(none.err()).contains("no case in " + folder + " has a name, kind or operator that matches --only");
    }

    @Test
    void moreRanksThanElements() throws IOException {
        Recorded.write(folder, Recorded.INDEX);
        assertThat(verify(0, "--ranks", "1,4,7,16").getLast()).isEqualTo("2 passed, 0 failed, 1 not covered");
    }

    @Test
    void wrongOptionsAreRefused() throws IOException {
        Recorded.write(folder, Recorded.INDEX);
        Program device = Program.run("verify", folder.toString(), "--device", "abacus");
        assertThat(device.status()).isEqualTo(2);
        assertThat(device.err()).startsWith("penstock: --device is 'abacus'; expected jvm");
        assertThat(Program.run("verify", folder.toString(), "--ranks", "0").err())
                .startsWith("penstock: --ranks has 0; expected 1 to 1024");
    }
}
