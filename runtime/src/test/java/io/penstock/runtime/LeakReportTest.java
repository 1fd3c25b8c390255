package io.penstock.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LeakReportTest {
    @Test
    void namesTheAllocationSiteOfWhatIsNeverClosed() throws Exception {
        String output = run("-Dpenstock.leaks=report");
        assertThat(output).contains("leaked: an array of 12345 bytes was never closed");
        assertThat(output).contains("LeakReportTest$Leaking.leak(LeakReportTest.java:");
        assertThat(output).doesNotContain("54321").contains("buffers left: 0");
    }

    @Test
    void isSilentUnlessAskedAndStillFrees() throws Exception {
        String output = run("-Dpenstock.leaks=no");
        assertThat(output).doesNotContain("leaked").contains("buffers left: 0");
    }

    private static String run(String flag) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", flag, "-cp"));
        command.add(System.getProperty("java.class.path"));
        command.add(Leaking.class.getName());
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return output;
    }

    /** A program that leaks one array and closes another. */
    static final class Leaking {
        private Leaking() {}

        static void leak() {
            Device.jvm().allocate(12345, MemoryKind.HOST);
            Device.jvm().allocate(54321, MemoryKind.HOST).close();
        }

        public static void main(String[] args) throws InterruptedException {
            leak();
            for (int i = 0; i < 100 && Device.jvm().memoryUse().buffers() > 0; i++) {
                System.gc();
                Thread.sleep(20);
            }
            Thread.sleep(200);
            System.out.println("buffers left: " + Device.jvm().memoryUse().buffers());
        }
    }
}
