package io.penstock.cli.kernel;

import io.penstock.kernel.c.Dialect;
import io.penstock.kernel.c.KernelSource;
import io.penstock.kernel.c.Variant;
import io.penstock.kernel.ir.ClassBytes;
import io.penstock.kernel.ir.FrontEnd;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.jvm.JvmListing;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the code that a kernel becomes for a target, with the lines of the Java source beside it. */
@Command(
        name = "kernel",
        description = "Shows the code that a kernel is compiled to, with the lines of its source.",
        mixinStandardHelpOptions = true)
public final class KernelCommand implements Runnable {
    /** What can be shown. */
    enum Target {
        /** The intermediate form. */
        IR,
        /** CUDA C++. */
        CUDA,
        /** OpenCL C. */
        OPENCL,
        /** What the JVM runs, for a usual launch: in vectors or not, and why. */
        JVM
    }

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Option(
            names = "--show",
            defaultValue = "ir",
            description = "What to show: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
    private Target target = Target.IR;

    @Option(names = "--unchecked", description = "Without checks of indices, as when a launch proves them inside.")
    private boolean unchecked;

    @Option(
            names = "--class-path",
            split = "[:;]",
            paramLabel = "PATH",
            description = "Folders and jars to look for the class in, before the program's own.")
    private List<Path> classPath = List.of();

    @Parameters(paramLabel = "CLASS::METHOD", description = "The kernel, such as com.example.Kernels::copyColumn.")
    private String kernel = "";

    /** Prints the code. */
    @Override
    public void run() {
        int split = kernel.indexOf("::");
        if (split < 1 || split + 2 == kernel.length())
            throw new ParameterException(
                    spec.commandLine(),
                    "kernel is " + kernel + "; expected Class::method, such as com.example.Kernels::copy");
        for (Path entry : classPath)
            if (!Files.exists(entry))
                throw new ParameterException(
                        spec.commandLine(), "--class-path has " + entry + "; there is no such folder or jar");
        String owner = kernel.substring(0, split).replace('.', '/');
        KernelCode code;
        try (URLClassLoader loader = new URLClassLoader(
                classPath.stream().map(KernelCommand::url).toArray(URL[]::new), KernelCommand.class.getClassLoader())) {
            code = FrontEnd.translate(bytes(loader), owner, kernel.substring(split + 2));
        } catch (IOException e) {
            throw new UncheckedIOException("the class path cannot be closed", e);
        }
        spec.commandLine().getOut().print(show(code));
        spec.commandLine().getOut().flush();
    }

    private String show(KernelCode code) {
        return switch (target) {
            case IR -> code.toString();
            case CUDA -> source(Dialect.CUDA, code);
            case OPENCL -> source(Dialect.OPENCL, code);
            case JVM -> JvmListing.of(code, !unchecked);
        };
    }

    private String source(Dialect dialect, KernelCode code) {
        return KernelSource.of(dialect, code, unchecked ? Variant.unchecked(code) : Variant.checked(code))
                .text();
    }

    private static ClassBytes bytes(ClassLoader loader) {
        return name -> {
            try (InputStream file = loader.getResourceAsStream(name + ".class")) {
                return file == null ? null : file.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException("the class file of " + name + " cannot be read", e);
            }
        };
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("class path entry " + path + " has no URL", e);
        }
    }
}
