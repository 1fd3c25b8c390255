package io.penstock.runtime.opencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.runtime.Access;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.DeviceArgument;
import io.penstock.runtime.DeviceLaunch;
import io.penstock.runtime.JvmSignals;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.Queue;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A driver and its compiler within the JVM leave the JVM its signals, and tell what was never closed; each in a JVM of its own. */
@Timeout(120)
class GuestTest {
    private static Process start(String mode) throws Exception {
        assumeTrue(
                !Drivers.get().devices().isEmpty(),
                () -> "no OpenCL device: " + Drivers.get().obstacle());
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-Dpenstock.leaks=report", "-cp"));
        command.add(System.getProperty("java.class.path"));
        command.addAll(List.of(Guest.class.getName(), mode));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static String output(Process process) throws Exception {
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return output;
    }

    @Test
    void theJvmKeepsItsSignals() throws Exception {
        Process process = start("signals");
        assertThat(output(process))
                .contains("taken: none", "null checks: 100000", "stack overflow seen", "division seen");
        assertThat(process.exitValue()).isZero();
    }

    @Test
    void theJvmEndsInGoodOrderWhenAsked() throws Exception {
        Process process = start("wait");
        BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
        String line = lines.readLine();
        while (line != null && !line.contains("ready")) line = lines.readLine();
        process.toHandle().destroy(); // Process.destroy would close the stream as well.
        StringBuilder rest = new StringBuilder();
        for (line = lines.readLine(); line != null; line = lines.readLine()) rest.append(line);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(rest).contains("hook ran");
        assertThat(process.exitValue()).isEqualTo(128 + 15);
    }

    @Test
    void leakedArraysAreToldWithTheirSite() throws Exception {
        assertThat(output(start("leak")))
                .contains("leaked: an array of 12345 bytes was never closed")
                .contains("GuestTest$Guest.leak(GuestTest.java:")
                .doesNotContain("54321");
    }

    /** The program that the tests start. */
    static final class Guest {
        private static @Nullable String nothing = null;
        private static int zero = 0;

        private Guest() {}

        public static void main(String[] args) throws Exception {
            JvmSignals before = JvmSignals.recordAll();
            OpenClDevice device = Drivers.get().devices().getFirst();
            Queue queue = device.newQueue();
            try (Buffer array = device.allocate(64, MemoryKind.DEVICE)) {
                String text = "__kernel void one(__global int *to) { to[0] = 1; } // " + System.nanoTime();
                DeviceLaunch launch = device.code()
                        .load(device.code().compile(text, List.of()))
                        .function("one")
                        .bind(
                                new long[] {1, 1, 1},
                                new int[] {1, 1, 1},
                                0,
                                List.of(new DeviceArgument.Memory(array)),
                                record -> new IllegalStateException());
                queue.submit(List.of(Access.write(array)), () -> launch.issue(queue))
                        .await();
            }
            switch (args[0]) {
                case "signals" -> signals(before);
                case "wait" -> {
                    Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook ran")));
                    System.out.println("ready");
                    Thread.sleep(60_000);
                }
                default -> {
                    leak(device);
                    for (int i = 0; i < 100 && device.memoryUse().buffers() > 0; i++) {
                        System.gc();
                        Thread.sleep(20);
                    }
                    Thread.sleep(1500); // for the report, which is the first use of the logger
                }
            }
        }

        private static void signals(JvmSignals before) {
            String taken = before.restore("an OpenCL driver");
            System.out.println("taken: " + (taken.isEmpty() ? "none" : taken));
            int caught = 0;
            for (int i = 0; i < 100_000; i++) {
                try {
                    caught += length();
                } catch (NullPointerException e) {
                    caught++;
                }
            }
            System.out.println("null checks: " + caught);
            try {
                System.out.println(deep(1));
            } catch (StackOverflowError e) {
                System.out.println("stack overflow seen");
            }
            try {
                System.out.println(1 / zero);
            } catch (ArithmeticException e) {
                System.out.println("division seen");
            }
        }

        @SuppressWarnings("NullAway") // that it throws is what is tested
        private static int length() {
            return nothing.length();
        }

        private static int deep(int n) {
            return n == 0 ? 0 : deep(n + 1) + n;
        }

        private static void leak(OpenClDevice device) {
            device.allocate(12345, MemoryKind.DEVICE);
            device.allocate(54321, MemoryKind.DEVICE).close();
        }
    }
}
