package io.penstock.kernel;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.runtime.Buffer;
import io.penstock.runtime.CompilingDevice;
import io.penstock.runtime.DeviceArgument;
import io.penstock.runtime.DeviceCode;
import io.penstock.runtime.DeviceCompilationException;
import io.penstock.runtime.DeviceFunction;
import io.penstock.runtime.DeviceLaunch;
import io.penstock.runtime.DeviceProgram;
import io.penstock.runtime.FailureReader;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.MemoryUse;
import io.penstock.runtime.Queue;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A device whose programs are their own text, and that launches nothing. */
final class FakeDevice implements CompilingDevice, DeviceCode {
    private final String identity;
    private final Language language;
    private final AtomicInteger compiled = new AtomicInteger();
    /** What its functions say of themselves. */
    private int most = 1024;

    private int good = 256;
    private final AtomicInteger asked = new AtomicInteger();

    FakeDevice(Language language, String identity) {
        this.language = language;
        this.identity = identity;
    }

    /** A device whose functions take groups of so many items at most, and say how many are good. */
    FakeDevice(Language language, int most, int good) {
        this(language, "fake");
        this.most = most;
        this.good = good;
    }

    /** How many programs were compiled. */
    int compiled() {
        return compiled.get();
    }

    /** How often a function was asked for good groups. */
    int asked() {
        return asked.get();
    }

    /** A function, which knows the program that it is of. */
    record Function(FakeDevice device, String program) implements DeviceFunction {
        @Override
        public int mostGroupItems() {
            return device.most;
        }

        @Override
        public int goodGroupItems(int usual, long groupBytes) {
            device.asked.incrementAndGet();
            return device.good;
        }

        @Override
        public DeviceLaunch bind(
                long[] groups,
                int[] groupItems,
                long groupBytes,
                List<DeviceArgument> arguments,
                FailureReader failures) {
            throw new UnsupportedOperationException("nothing is launched here");
        }
    }

    @Override
    public DeviceCode code() {
        return this;
    }

    @Override
    public Language language() {
        return language;
    }

    @Override
    public String identity() {
        return identity;
    }

    @Override
    public int mostGroupItems() {
        return most;
    }

    @Override
    public long mostGroupBytes() {
        return 1 << 16;
    }

    @Override
    public int processors() {
        return 8;
    }

    @Override
    public byte[] compile(String source, List<String> options) {
        compiled.incrementAndGet();
        return (identity + options + source).getBytes(UTF_8);
    }

    @Override
    public DeviceProgram load(byte[] binary) {
        String text = new String(binary, UTF_8);
        if (!text.startsWith(identity)) throw new DeviceCompilationException("a program of another device");
        return name -> new Function(this, text);
    }

    @Override
    public String name() {
        return "fake:" + identity;
    }

    @Override
    public String description() {
        return name();
    }

    @Override
    public Queue queue() {
        throw new UnsupportedOperationException("nothing is launched here");
    }

    @Override
    public Queue newQueue() {
        throw new UnsupportedOperationException("nothing is launched here");
    }

    @Override
    public Buffer allocate(long bytes, MemoryKind kind) {
        throw new UnsupportedOperationException("nothing is launched here");
    }

    @Override
    public MemoryUse memoryUse() {
        throw new UnsupportedOperationException("nothing is launched here");
    }
}
