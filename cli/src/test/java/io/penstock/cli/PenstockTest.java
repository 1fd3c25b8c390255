package io.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.testing.Seeded;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class PenstockTest {
    private static final String[] WORDS = {
        "poststack",
        "verify",
        "doctor",
        "help",
        "--ranks",
        "--ranks=",
        "0",
        "-1",
        "3",
        "1,2",
        "1e9",
        "--only",
        "[",
        "--json",
        "--device",
        "cuda",
        "--debug",
        "--help",
        "-V",
        "--",
        "-",
        "",
        " ",
        "@",
        "@nothing",
        "--iterations",
        "--data",
        "/nowhere",
        "\0",
        "ä",
        "--ranks=99999999999999999999",
        "=",
        "--=",
        "-x",
        "${sys:user.home}",
        "$(",
        "\"",
        "'",
        "%s",
        "\n"
    };

    @Test
    void tellsItsVersion() {
        Program program = Program.run("--version");
        assertThat(program.status()).isZero();
        assertThat(program.out())
                .startsWith("penstock ")
                .contains(Runtime.version().toString());
        assertThat(program.err()).isEmpty();
    }

    @Test
    void listsItsCommands() {
        assertThat(Program.run("--help").out()).contains("doctor", "verify", "help");
        assertThat(Program.run("help", "verify").out()).contains("--ranks", "--only", "DIR");
    }

    @Test
    void aWrongUseIsToldInALineWithStatus2() {
        Program unknown = Program.run("verfy");
        assertThat(unknown.status()).isEqualTo(2);
        assertThat(unknown.err()).startsWith("penstock: ").contains("verfy", "Did you mean", "verify");

        assertThat(Program.run())
                .isEqualTo(new Program(2, "", line("penstock: no command given; see penstock --help")));
        assertThat(Program.run("verify").err()).startsWith("penstock: Missing required parameter: 'DIR'");
        assertThat(Program.run("verify", "/nowhere"))
                .isEqualTo(new Program(
                        2,
                        "",
                        line("penstock: there is no index.json in /nowhere; expected a folder of recorded cases")
                                + line("See penstock verify --help.")));
    }

    @Test
    void processesWriteTracesOfTheirOwn() {
        assertThat(Penstock.ofRank(Path.of("out/run.json"), OptionalInt.empty()))
                .hasToString("out/run.json");
        assertThat(Penstock.ofRank(Path.of("out/run.json"), OptionalInt.of(3))).hasToString("out/run-3.json");
        assertThat(Penstock.ofRank(Path.of("run"), OptionalInt.of(0))).hasToString("run-0");
    }

    @Test
    void aTraceThatCannotBeWrittenIsToldInALine() {
        Program program = Program.run("doctor", "--trace", "/nowhere/at/all.json");
        assertThat(program.status()).isEqualTo(1);
        assertThat(program.err()).contains("/nowhere/at/all.json").doesNotContain("\tat ");
    }

    @Test
    void showsWhereAFailureAroseOnlyWhenAsked() {
        assertThat(Program.run("verify", "/nowhere").err()).doesNotContain("\tat ");
        assertThat(Program.run("--debug", "verify", "/nowhere").err()).contains("\tat ");
        assertThat(Program.run("verify", "/nowhere", "--debug").err()).contains("\tat ");
    }

    @Test
    void anyArgumentsAreAnsweredWithAMessageOrAResult() {
        Seeded.cases(1500, random -> {
            String[] args = random.ints(random.nextInt(1, 6), 0, WORDS.length)
                    .mapToObj(i -> mutated(WORDS[i], random))
                    .toArray(String[]::new);
            if (startsWork(args)) return;
            Program program = Program.run(args);
            assertThat(program.status()).isBetween(0, 2);
            if (program.status() != 0)
                assertThat(program.err()).startsWith("penstock: ").doesNotContain("\tat ");
        });
    }

    private static String mutated(String word, SplittableRandom random) {
        if (word.isEmpty() || random.nextInt(4) != 0) return word;
        char[] letters = word.toCharArray();
        letters[random.nextInt(letters.length)] = (char) random.nextInt(128);
        return new String(letters);
    }

    /** A use that is right and would run a whole job or examine the machine; and the one that asks for the trace. */
    private static boolean startsWork(String... args) {
        PrintWriter nowhere = new PrintWriter(new StringWriter());
        try {
            CommandLine.ParseResult parsed =
                    Penstock.commandLine(nowhere, nowhere).parseArgs(args);
            if (!parsed.hasSubcommand()) return parsed.hasMatchedOption("--debug");
            String name = parsed.subcommand().commandSpec().name();
            return name.equals("poststack")
                    || name.equals("doctor")
                    || String.join(" ", args).contains("--debug");
        } catch (CommandLine.ParameterException wrong) {
            return String.join(" ", args).contains("--debug");
        }
    }

    private static String line(String text) {
        return text + System.lineSeparator();
    }
}
