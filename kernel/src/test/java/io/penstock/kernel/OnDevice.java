package io.penstock.kernel;

import io.penstock.runtime.Buffer;
import io.penstock.runtime.Device;
import io.penstock.runtime.MemoryKind;
import java.util.Arrays;
import java.util.List;

/** Launches on a device with arguments that lie on the host, through copies of their buffers on the device. */
final class OnDevice {
    /** Bytes around each buffer that no kernel may touch. */
    private static final int CANARY = 64;

    private static final byte UNTOUCHED = 0x5a;

    private OnDevice() {}

    /** The JVM, and all devices whose drivers are installed. */
    static List<Device> all() {
        return Device.all();
    }

    static boolean isJvm(Device device) {
        return device.equals(Device.jvm());
    }

    /** Launches and waits, and checks that nothing beside the arguments' elements has changed. */
    static void run(Device device, RangedKernel kernel, Object... arguments) {
        if (isJvm(device)) {
            kernel.launch(arguments);
            return;
        }
        run(device, kernel::launch, arguments);
    }

    /** What launches with the arguments that it is given. */
    interface Launcher {
        void launch(Object... there);
    }

    /** Launches on a device with a compiler, in some way, and waits. */
    static void run(Device device, Launcher launcher, Object... arguments) {
        Object[] there = arguments.clone();
        Buffer[] buffers = new Buffer[arguments.length];
        for (int k = 0; k < arguments.length; k++)
            if (arguments[k] instanceof ElementView view) {
                buffers[k] = upload(device, view.buffer());
                there[k] = like(view, buffers[k].slice(CANARY, view.buffer().bytes()));
            }
        RuntimeException failure = null;
        try {
            launcher.launch(there);
            device.queue().await();
        } catch (KernelException e) {
            failure = e;
        }
        for (int k = 0; k < arguments.length; k++)
            if (arguments[k] instanceof ElementView view) download(device, buffers[k], view.buffer());
        if (failure != null) throw failure;
    }

    private static Buffer upload(Device device, Buffer from) {
        Buffer staged = Memory.bytes(from.bytes() + 2 * CANARY);
        staged.segment().fill(UNTOUCHED);
        staged.slice(CANARY, from.bytes()).segment().copyFrom(from.segment());
        Buffer there = device.allocate(staged.bytes(), MemoryKind.DEVICE);
        device.queue().copy(staged, there);
        return there;
    }

    private static void download(Device device, Buffer from, Buffer to) {
        Buffer staged = Memory.bytes(from.bytes());
        device.queue().copy(from, staged).await();
        to.segment().copyFrom(staged.slice(CANARY, to.bytes()).segment());
        byte[] all = staged.segment().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
        for (int k = 0; k < CANARY; k++)
            if (all[k] != UNTOUCHED || all[all.length - 1 - k] != UNTOUCHED)
                throw new AssertionError("a kernel has written beside its argument on " + device.name());
    }

    /** The same elements in another buffer. */
    static ElementView like(ElementView view, Buffer buffer) {
        int rank = view.dimensions();
        long[] shape = new long[rank];
        long[] strides = new long[rank];
        Arrays.setAll(shape, view::extent);
        Arrays.setAll(strides, view::stride);
        long elementBytes = switch (view) {
            case Bytes _ -> 1;
            case Ints _, Floats _ -> 4;
            case Longs _, Doubles _, ComplexFloats _ -> 8;
            case ComplexDoubles _ -> 16;
        };
        long offset = (view.begin() - view.buffer().offset()) / elementBytes;
        return switch (view) {
            case Bytes _ -> Bytes.of(buffer, offset, shape, strides);
            case Ints _ -> Ints.of(buffer, offset, shape, strides);
            case Longs _ -> Longs.of(buffer, offset, shape, strides);
            case Floats _ -> Floats.of(buffer, offset, shape, strides);
            case Doubles _ -> Doubles.of(buffer, offset, shape, strides);
            case ComplexFloats _ -> ComplexFloats.of(buffer, offset, shape, strides);
            case ComplexDoubles _ -> ComplexDoubles.of(buffer, offset, shape, strides);
        };
    }
}
