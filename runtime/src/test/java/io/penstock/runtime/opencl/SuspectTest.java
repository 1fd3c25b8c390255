package io.penstock.runtime.opencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.runtime.Access;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.DeviceArgument;
import io.penstock.runtime.DeviceLaunch;
import io.penstock.runtime.MemoryKind;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whom a queue suspects when its driver gives it up. That it then takes no more work is the ledger's doing, and tested there: PoCL
 * ends the process when a command fails.
 */
@Timeout(60)
class SuspectTest {
    @Test
    void isTheOldestLaunchThatIsNotKnownToBeOver() {
        List<OpenClDevice> devices = Drivers.get().devices();
        assumeTrue(
                !devices.isEmpty(), () -> "no OpenCL device: " + Drivers.get().obstacle());
        OpenClDevice device = devices.getFirst();
        OpenClQueue queue = (OpenClQueue) device.newQueue();
        String text = """
                __kernel void innocent(__global long *to, long rounds) { to[0] = rounds; }
                __kernel void culprit(__global long *to, long rounds) {
                    long x = rounds;
                    for (long i = 0; i < rounds; i++) x = x * 6364136223846793005L + 1442695040888963407L;
                    to[0] = x;
                }
                """;
        Program program = (Program) device.code().load(device.code().compile(text, List.of()));
        try (Buffer array = device.allocate(64, MemoryKind.DEVICE)) {
            submit(queue, program, "innocent", array, 1);
            queue.await();
            assertThat(queue.lost("it is gone")).hasMessage(queue + ", of opencl:0: it is gone");
            submit(queue, program, "culprit", array, 100_000_000);
            submit(queue, program, "innocent", array, 1);
            assertThat(queue.lost("it is gone"))
                    .hasMessage(queue + ", of opencl:0: it is gone; suspected is the launch of culprit, else one of"
                            + " those behind it: innocent");
            queue.await();
        }
    }

    private static void submit(OpenClQueue queue, Program program, String name, Buffer array, long rounds) {
        DeviceLaunch launch = program.function(name)
                .bind(
                        new long[] {1, 1, 1},
                        new int[] {1, 1, 1},
                        0,
                        List.of(
                                new DeviceArgument.Memory(array),
                                new DeviceArgument.Bytes(MemorySegment.ofArray(new long[] {rounds}))),
                        record -> new IllegalStateException());
        queue.submit(List.of(Access.write(array)), () -> launch.issue(queue));
    }
}
