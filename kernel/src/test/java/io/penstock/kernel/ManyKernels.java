package io.penstock.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.kernel.c.KernelSource;
import io.penstock.kernel.c.Variant;
import io.penstock.kernel.ir.KernelCode;
import io.penstock.kernel.ir.Operation;
import io.penstock.kernel.reach.Reach;
import io.penstock.runtime.Access;
import io.penstock.runtime.CompilingDevice;
import io.penstock.runtime.DeviceArgument;
import io.penstock.runtime.DeviceFunction;
import io.penstock.runtime.DeviceLaunch;
import io.penstock.runtime.DeviceProgram;
import io.penstock.runtime.FailureReader;
import io.penstock.runtime.Queue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Many kernels as one program of a device. On PoCL, which compiles each entry by itself when it is first launched, those without
 * barriers that take the same parameters share an entry, whose first argument chooses.
 */
final class ManyKernels {
    /** So many kernels share an entry: of more, PoCL's compiler takes longer for each. */
    private static final int MANY = 15;

    private final CompilingDevice device;
    private final Range range;
    private final List<KernelCode> codes = new ArrayList<>();
    private final List<LaunchPlan> plans = new ArrayList<>();
    private final List<KernelSource> sources = new ArrayList<>();
    /** The entries of kernels that share one. */
    private final Map<Integer, String> entries = new HashMap<>();

    private @Nullable DeviceProgram program;

    ManyKernels(CompilingDevice device, Range range) {
        this.device = device;
        this.range = range;
    }

    /** Adds a kernel that relies on what its launch proves, or on nothing. */
    void add(KernelCode code, Object[] values, boolean proved, boolean several) {
        Reach.Result reach = Reach.of(code, new ViewSizes(values, range));
        Variant variant = proved ? LaunchVariant.of(code, reach, values, range, several) : Variant.checked(code);
        KernelSource source = KernelSource.of(DeviceKernels.dialect(device.code()), code, variant);
        codes.add(code);
        plans.add(asOnDisk(LaunchPlan.of(code, source, variant, reach, values, range)));
        sources.add(source);
    }

    /** A plan as another process reads it. */
    private static LaunchPlan asOnDisk(LaunchPlan plan) {
        try {
            LaunchPlan read = PlanBytes.read(PlanBytes.write(plan));
            assertThat(read).isEqualTo(plan);
            return read;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Compiles the kernels.
     *
     * @param optimized whether PoCL optimizes them, which takes three times as long, and which it does not survive where there are
     *     barriers
     */
    void compile(boolean optimized) {
        String text = KernelSource.program(sources);
        if (DeviceKernels.isPocl(device.code())) text = shared(text);
        program = device.code().build(text, DeviceKernels.options(device.code(), !optimized, false));
    }

    /** The text with entries that several kernels share. */
    private String shared(String all) {
        String text = all;
        Map<String, List<Integer>> alike = new LinkedHashMap<>();
        for (int k = 0; k < sources.size(); k++) {
            if (codes.get(k).uses(Operation.BARRIER)) continue;
            String entry = "__kernel void " + sources.get(k).entry() + "(";
            int begin = text.indexOf(entry) + entry.length();
            alike.computeIfAbsent(text.substring(begin, text.indexOf(") {", begin)), parameters -> new ArrayList<>())
                    .add(k);
            text = text.replace(entry, entry.replace("__kernel", "static"));
        }
        StringBuilder with = new StringBuilder(text);
        alike.forEach((parameters, kernels) -> {
            for (int from = 0; from < kernels.size(); from += MANY)
                share(with, parameters, kernels.subList(from, Math.min(from + MANY, kernels.size())));
        });
        return with.toString();
    }

    /** Adds an entry for some kernels. */
    private void share(StringBuilder text, String parameters, List<Integer> kernels) {
        String entry = "together" + kernels.getFirst();
        String names = Arrays.stream(parameters.split(", "))
                .map(parameter ->
                        parameter.substring(1 + Math.max(parameter.lastIndexOf(' '), parameter.lastIndexOf('*'))))
                .collect(Collectors.joining(", "));
        text.append("__kernel void %s(const i32 which, %s) {\nswitch (which) {\n".formatted(entry, parameters));
        for (int k : kernels) {
            text.append("case %d: %s(%s); break;\n".formatted(k, sources.get(k).entry(), names));
            entries.put(k, entry);
        }
        text.append("}\n}\n");
    }

    private DeviceFunction function(int k) {
        DeviceProgram loaded = Objects.requireNonNull(program);
        String shared = entries.get(k);
        return shared == null ? loaded.function(sources.get(k).entry()) : new Chosen(loaded.function(shared), k);
    }

    /** Runs a kernel, which must not fail. */
    void run(int k, Object[] values) {
        DeviceFunction function = function(k);
        OnDevice.run(
                device,
                there -> {
                    DeviceLaunch launch = DeviceLaunches.bind(
                            plans.get(k),
                            device.code(),
                            function,
                            GroupThreads.of(
                                    plans.get(k), range, device.code(), function.goodGroupItems(GroupThreads.USUAL, 0)),
                            range,
                            there,
                            record -> new IllegalStateException(codes.get(k).name() + " failed"));
                    // The queue of this thread: the work may be issued by another one.
                    Queue queue = device.queue();
                    queue.submit(accesses(there), () -> launch.issue(queue));
                },
                values);
    }

    /** All of every view, as written. */
    private static List<Access> accesses(Object[] values) {
        List<Access> all = new ArrayList<>();
        for (Object value : values)
            if (value instanceof ElementView view) all.add(new Access(view.buffer(), view.region(), true));
        return all;
    }

    /** One of the kernels that share an entry. */
    private record Chosen(DeviceFunction entry, int which) implements DeviceFunction {
        @Override
        public int mostGroupItems() {
            return entry.mostGroupItems();
        }

        @Override
        public int goodGroupItems(int usual, long groupBytes) {
            return entry.goodGroupItems(usual, groupBytes);
        }

        @Override
        public DeviceLaunch bind(
                long[] groups,
                int[] groupItems,
                long groupBytes,
                List<DeviceArgument> arguments,
                FailureReader failures) {
            try (Arena arena = Arena.ofConfined()) {
                List<DeviceArgument> all = new ArrayList<>();
                all.add(new DeviceArgument.Bytes(arena.allocateFrom(ValueLayout.JAVA_INT, which)));
                all.addAll(arguments);
                return entry.bind(groups, groupItems, groupBytes, all, failures);
            }
        }
    }
}
