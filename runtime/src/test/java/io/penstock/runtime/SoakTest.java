package io.penstock.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A million pieces of work and a hundred thousand arrays leave nothing behind, on the heap or off it. */
@Timeout(300)
class SoakTest {
    private static void leavesNothing(String part) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseParallelGC", "-XX:+AlwaysPreTouch"));
        command.addAll(List.of("-Xms200m", "-Xmx200m", "-Dpenstock.opencl.devices=2", "-cp"));
        command.addAll(List.of(System.getProperty("java.class.path"), Soak.class.getName(), part));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output).contains("nothing is left");
    }

    @Test
    void launchesOnTheJvm() throws Exception {
        leavesNothing("jvm");
    }

    @Test
    void launchesOnOpenCl() throws Exception {
        OpenClDevices.pair();
        leavesNothing("opencl");
    }

    @Test
    void arrays() throws Exception {
        OpenClDevices.pair();
        leavesNothing("arrays");
    }
}
