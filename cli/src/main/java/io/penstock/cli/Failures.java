package io.penstock.cli;

import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What the program says when it fails: one clear line, and the stack trace when asked for. */
final class Failures {
    private static final String PREFIX = "penstock: ";

    private Failures() {}

    /** Reports a wrong use and the way to the right one. */
    static int wrongUse(ParameterException failure, String[] args) {
        CommandLine command = failure.getCommandLine();
        command.getErr().println(PREFIX + oneLine(failure));
        List<String> suggestions =
                failure instanceof UnmatchedArgumentException unmatched ? unmatched.getSuggestions() : List.of();
        if (!suggestions.isEmpty()) command.getErr().println("Did you mean " + String.join(" or ", suggestions) + "?");
        if (!oneLine(failure).contains("--help"))
            command.getErr().println("See " + command.getCommandSpec().qualifiedName() + " --help.");
        if (Arrays.asList(args).contains("--debug")) failure.printStackTrace(command.getErr());
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    /** Reports a failure of a command. */
    static int failed(Exception failure, CommandLine command, boolean debug) {
        command.getErr().println(PREFIX + oneLine(failure));
        if (debug) failure.printStackTrace(command.getErr());
        return command.getCommandSpec().exitCodeOnExecutionException();
    }

    /** The message, or what kind of failure it is where it has none, such as a file that is not there. */
    private static String oneLine(Throwable failure) {
        String message = failure.getMessage();
        String kind = failure.getClass().getSimpleName();
        if (message == null || message.isBlank()) return kind;
        if (failure instanceof java.nio.file.NoSuchFileException) return "there is no file or folder " + message;
        if (failure instanceof java.nio.file.FileSystemException) return message + ": " + kind;
        if (failure instanceof UncheckedIOException && failure.getCause() != null)
            return message + ": " + oneLine(failure.getCause());
        boolean says = failure instanceof ParameterException
                || failure instanceof IllegalArgumentException
                || failure instanceof IllegalStateException
                || failure.getClass().getName().startsWith("io.penstock.");
        String line = message.strip().replaceAll("\\s*\\R\\s*", " ");
        return says ? line : kind + ": " + line;
    }
}
