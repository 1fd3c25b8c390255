package io.penstock.cli.kernel;

import io.penstock.kernel.ProgramCache;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows what compiled kernels are kept on disk, and removes them. */
@Command(
        name = "cache",
        description = "Shows the compiled kernels that are kept on disk, or removes them.",
        mixinStandardHelpOptions = true)
public final class CacheCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(names = "--clear", description = "Removes them; they are compiled anew when they are needed.")
    private boolean clear;

    /** Prints one line. */
    @Override
    public void run() {
        ProgramCache cache = ProgramCache.standard();
        Path folder = cache.folder();
        PrintWriter out = spec.commandLine().getOut();
        if (folder == null) {
            out.println("No compiled kernels are kept: PENSTOCK_CACHE is off.");
        } else if (clear) {
            out.println("Removed " + cache.clear() + " compiled kernels from " + folder + ".");
        } else {
            ProgramCache.Content content = cache.content();
            out.println(String.format(
                    Locale.ROOT,
                    "%d compiled kernels, %.1f MB, in %s.",
                    content.programs(),
                    content.bytes() / 1e6,
                    folder));
        }
        out.flush();
    }
}
