package io.penstock.cli.verify;

import io.penstock.cli.verify.Verdict.Outcome;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code verify}: computes recorded reference cases anew and compares. */
@Command(
        name = "verify",
        description = {
            "Compute recorded reference cases anew and compare.",
            "A case of something that Penstock does not have is not covered, which is no failure."
        },
        mixinStandardHelpOptions = true)
public final class Verify implements Callable<Integer> {
    private static final int MOST_RANKS = 1024;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "The folder with index.json and the archives that it names.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path folder;

    @Option(
            names = "--ranks",
            paramLabel = "N",
            split = ",",
            defaultValue = "1,2,3,5",
            description = "On how many ranks distributed cases are computed, one after the other (${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private List<Integer> ranks;

    @Option(names = "--device", defaultValue = "jvm", description = "The device: jvm (${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String device;

    @Option(
            names = "--only",
            paramLabel = "PATTERN",
            defaultValue = "",
            description = "Only cases whose name, kind or operator matches this regular expression.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String only;

    /** Judges the cases, prints a line for each and a summary, and tells failures by the exit status. */
    @Override
    public Integer call() throws IOException {
        Pattern pattern = check();
        PrintWriter out = spec.commandLine().getOut();
        Judge judge = new Judge(ranks);
        Map<Outcome, Integer> count = new EnumMap<>(Outcome.class);
        for (Reference reference : ReferenceIndex.read(folder)) {
            if (!pattern.matcher(reference.id() + " " + reference.kind() + " " + reference.op())
                    .find()) continue;
            Verdict verdict = judge.judge(reference);
            count.merge(verdict.outcome(), 1, Integer::sum);
            out.printf(
                    "%-11s %-32s %-24s %s%n",
                    verdict.outcome().word(), reference.id(), reference.op(), verdict.detail());
        }
        if (count.isEmpty()) throw wrong("no case in " + folder + matching());
        int failed = count.getOrDefault(Outcome.FAILED, 0);
        out.printf(
                "%d passed, %d failed, %d not covered%n",
                count.getOrDefault(Outcome.PASSED, 0), failed, count.getOrDefault(Outcome.NOT_COVERED, 0));
        return failed == 0 ? 0 : 1;
    }

    private String matching() {
        return only.isEmpty()
                ? "; expected its index.json to name some"
                : " has a name, kind or operator that matches --only '" + only + "'";
    }

    private Pattern check() {
        if (!device.equals("jvm")) throw wrong("--device is '" + device + "'; expected jvm");
        for (int n : ranks)
            if (n < 1 || n > MOST_RANKS) throw wrong("--ranks has " + n + "; expected 1 to " + MOST_RANKS);
        if (!Files.isRegularFile(folder.resolve("index.json")))
            throw wrong("there is no index.json in " + folder + "; expected a folder of recorded cases");
        try {
            return Pattern.compile(only);
        } catch (PatternSyntaxException e) {
            throw wrong("--only is '" + only + "'; expected a regular expression: " + e.getDescription());
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
