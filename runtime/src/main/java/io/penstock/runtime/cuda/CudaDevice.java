package io.penstock.runtime.cuda;

import static io.penstock.foreign.CudaValues.CUDA_SUCCESS;
import static io.penstock.foreign.CudaValues.CU_MEM_LOCATION_TYPE_DEVICE;
import static io.penstock.foreign.CudaValues.CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE;
import static io.penstock.foreign.CudaValues.location;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.runtime.Allocation;
import io.penstock.runtime.Buffer;
import io.penstock.runtime.CompilingDevice;
import io.penstock.runtime.Device;
import io.penstock.runtime.DeviceCode;
import io.penstock.runtime.DeviceLostException;
import io.penstock.runtime.DeviceMemoryException;
import io.penstock.runtime.FailureReader;
import io.penstock.runtime.HostMemory;
import io.penstock.runtime.MemoryKind;
import io.penstock.runtime.MemorySize;
import io.penstock.runtime.MemoryUse;
import io.penstock.runtime.Owners;
import io.penstock.runtime.Queue;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A GPU of NVIDIA's. Its queues are streams. It is called on platform threads only. */
public final class CudaDevice implements CompilingDevice {
    private final CudaBackend backend;
    private final CudaContext context;
    private final String name;
    private final Streams streams;
    private final Copies copies;
    private final Peers peers;
    private final CudaClock clock;
    private final DeviceMemory memory;
    private final ExportableMemory exportable;
    private final PinnedMemory pinned;
    private final UnifiedMemory unified;
    private final CudaCode code;
    private final long roomForUnified;
    private final CopyOnWriteArrayList<WeakReference<Launches>> given = new CopyOnWriteArrayList<>();
    private volatile @Nullable String lost;

    CudaDevice(CudaBackend backend, CudaContext context, String name) {
        this.backend = backend;
        this.context = context;
        this.name = name;
        this.streams = new Streams(this);
        this.copies = new Copies(this);
        this.peers = new Peers(this);
        this.clock = new CudaClock(this, streams.create());
        long free = context.freeMemory();
        this.roomForUnified = free;
        this.memory = new DeviceMemory(this, streams.create(), Limits.deviceBytes(free));
        this.exportable = new ExportableMemory(this, Limits.deviceBytes(free));
        this.pinned = new PinnedMemory(
                this, Limits.pinnedBytes(Device.jvm().memoryUse().limit()));
        this.unified = new UnifiedMemory(this);
        this.code = new CudaCode(this);
    }

    /** The same GPU as if it were another one. */
    CudaDevice anotherContext() {
        return new CudaDevice(backend, context.another(), name + " again");
    }

    CudaBackend backend() {
        return backend;
    }

    CudaContext context() {
        return context;
    }

    CudaDriver driver() {
        return context.driver();
    }

    Streams streams() {
        return streams;
    }

    Copies copies() {
        return copies;
    }

    Peers peers() {
        return peers;
    }

    CudaClock clock() {
        return clock;
    }

    DeviceMemory memory() {
        return memory;
    }

    PinnedMemory pinned() {
        return pinned;
    }

    long roomForUnified() {
        return roomForUnified;
    }

    /** What a new queue will be given, with a place for its kernels' failures. */
    Launches newLaunches() {
        Launches launches = new Launches(pinned.take(FailureReader.BYTES));
        given.removeIf(reference -> reference.refersTo(null));
        given.add(new WeakReference<>(launches));
        return launches;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String description() {
        String reached = siblings().stream()
                .filter(other -> other != this && reaches(other))
                .map(CudaDevice::name)
                .collect(Collectors.joining(", "));
        return model() + ", " + architecture() + ", " + MemorySize.describe(totalMemory()) + ", CUDA "
                + driver().version() + ", bus " + busId() + (reached.isEmpty() ? "" : ", reaches " + reached);
    }

    /** Makes this the current device of the calling thread, a platform thread, for calls of other libraries. */
    public void makeCurrent() {
        context.enter();
    }

    /** The device's model, such as {@code NVIDIA H200}. */
    public String model() {
        return context.model();
    }

    /** What its code is compiled for, such as {@code sm_90}. */
    public String architecture() {
        return context.architecture();
    }

    /** How much memory it has, in bytes. */
    public long totalMemory() {
        return context.totalMemory();
    }

    /** How much of that is free, in bytes; what this process keeps for reuse is not. */
    public long freeMemory() {
        return context.freeMemory();
    }

    /** Its place on the machine's bus, by which other programs know it. */
    public String busId() {
        return context.busId();
    }

    /** The file that the driver was loaded from, for libraries that have to share it. */
    public String driverFile() {
        return driver().calls().file();
    }

    /** Whether queues of this device were seen to reach another one's memory, by bytes that arrived. */
    public boolean reaches(CudaDevice other) {
        return other == this || peers.reaches(other);
    }

    /** Own memory, pinned and unified memory of the same driver, and the memory of devices that this one was seen to reach. */
    boolean reaches(Buffer buffer) {
        if (buffer.kind() == MemoryKind.HOST || !(buffer.device() instanceof CudaDevice owner)) return false;
        if (owner == this) return true;
        if (owner.driver() != driver()) return false;
        return buffer.kind() != MemoryKind.DEVICE || peers.reaches(owner);
    }

    @Override
    public Queue queue() {
        Queue chosen = Queue.chosen(this);
        if (chosen != null) return chosen;
        return CallingThread.get().queue(this);
    }

    @Override
    public CudaQueue newQueue() {
        requireAlive();
        return new CudaQueue(this);
    }

    @Override
    public DeviceCode code() {
        return code;
    }

    @Override
    public Buffer allocate(long bytes, MemoryKind kind) {
        Objects.requireNonNull(kind, "kind is null");
        if (kind == MemoryKind.HOST) return Device.jvm().allocate(bytes, kind);
        requireCount(bytes);
        return switch (kind) {
            case DEVICE ->
                Exports.areWanted()
                        ? buffer(kind, exportable.take(bytes), bytes, exportable)
                        : buffer(kind, memory.take(bytes), bytes, memory);
            case PINNED -> buffer(kind, pinned.take(bytes), bytes, pinned);
            default -> buffer(kind, unified.take(bytes, false), bytes, unified);
        };
    }

    /**
     * Allocates unified memory, even when there is then more than the device could hold: its pages move in and out as they are
     * used, and the driver does not refuse what the host cannot hold either. Otherwise like {@link #allocate}.
     */
    public Buffer allocateBeyondFree(long bytes) {
        requireCount(bytes);
        return buffer(MemoryKind.UNIFIED, unified.take(bytes, true), bytes, unified);
    }

    /**
     * A buffer of memory that somebody else has allocated, and frees: a device's or the driver's host memory. Order is kept with
     * all that uses the buffer, not with what the other one does on its own; closing the buffer does not free the memory.
     *
     * @param address the first byte, as the driver gave it
     * @throws IllegalArgumentException when there is a buffer of some of the bytes already
     */
    public Buffer wrap(long address, long bytes) {
        requireCount(bytes);
        if (memory.owns(address) || exportable.owns(address))
            throw new IllegalArgumentException(
                    "address " + address + " is memory of a buffer of " + name + "; use that buffer or a slice of it");
        Claims claims = backend.claims();
        claims.take(address, bytes);
        return buffer(MemoryKind.DEVICE, address, bytes, (given, size) -> claims.giveBack(given));
    }

    /** Whether the driver has a handle of a buffer's memory by which another process can be given it; see {@link Exports}. */
    public boolean isExportable(Buffer buffer) {
        CallingThread thread = context.enter();
        HostMemory.ALL.set(JAVA_LONG, thread.answer(), 0);
        int code = context.calls()
                .pointerGetAttribute(
                        thread.answer(), CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, buffer.address());
        return code == CUDA_SUCCESS && thread.answeredInt(0) != 0;
    }

    /** Says how unified memory will be used by this device; for as long as the memory lives. */
    public void advise(Buffer buffer, Advice advice) {
        requireUnified(buffer);
        context.enter();
        check(
                context.calls()
                        .memAdvise(
                                buffer.address(),
                                buffer.bytes(),
                                advice.code(),
                                location(CU_MEM_LOCATION_TYPE_DEVICE, context.ordinal())),
                "cuMemAdvise");
    }

    static void requireUnified(Buffer buffer) {
        if (buffer.kind() != MemoryKind.UNIFIED)
            throw new IllegalArgumentException(
                    "the buffer is " + buffer.kind() + " memory; expected UNIFIED, whose pages move");
    }

    private void requireCount(long bytes) {
        if (bytes < 0) throw new IllegalArgumentException("bytes is " + bytes + "; expected 0 or more");
        requireAlive();
    }

    private Buffer buffer(MemoryKind kind, long address, long bytes, Allocation.Free free) {
        try {
            return Buffer.whole(new Allocation(this, kind, address, bytes, free));
        } catch (OutOfMemoryError e) {
            free.free(address, bytes);
            throw e;
        }
    }

    @Override
    public MemoryUse memoryUse() {
        MemoryUse pool = memory.use();
        MemoryUse exported = exportable.use();
        return new MemoryUse(
                pool.live() + exported.live(),
                pool.pooled() + exported.pooled(),
                pool.limit(),
                pool.buffers() + exported.buffers());
    }

    /** How much of each kind of memory is in use, a line for each. */
    public String memoryReport() {
        return Limits.line("device", memoryUse()) + "\n" + Limits.line("pinned host", pinned.use()) + "\n"
                + Limits.line("unified", unified.use());
    }

    DeviceMemoryException outOfMemory(String kind, long bytes, MemoryUse use, Owners owners) {
        return new DeviceMemoryException("out of " + kind + " memory of " + name + ": asked for "
                + MemorySize.describe(bytes) + ", free " + (isLost() ? "?" : MemorySize.describe(freeMemory()))
                + ", pooled " + MemorySize.describe(use.pooled()) + ", live " + MemorySize.describe(use.live()) + " in "
                + use.buffers() + " arrays, limit " + MemorySize.describe(use.limit()) + owners.describe()
                + "; close arrays (or use a Scope), or raise -D"
                + (kind.startsWith("pinned") ? Limits.PINNED_LIMIT : Limits.DEVICE_LIMIT) + " (such as 8g)");
    }

    /** Throws unless a call has succeeded; see {@link #failure}. */
    void check(int code, String call) {
        if (code != 0) throw failure(code, call);
    }

    /** The exception for a call that has failed. After some failures the device takes no more work: it is lost. */
    RuntimeException failure(int code, String call) {
        CudaException cause = driver().failure(code, call);
        if (!CudaDriver.isSticky(code)) return cause;
        return lose(cause);
    }

    private synchronized DeviceLostException lose(CudaException cause) {
        String known = lost;
        if (known == null) {
            String suspects = given.stream()
                    .map(WeakReference::get)
                    .filter(Objects::nonNull)
                    .flatMap(launches -> launches.underWay().stream())
                    .distinct()
                    .collect(Collectors.joining(", "));
            lost = known = name + " has failed and takes no more work: " + cause.getMessage() + "; suspect: "
                    + (suspects.isEmpty() ? "nothing that was launched by this library" : suspects)
                    + ". Its memory is lost; start the program anew, perhaps under compute-sanitizer";
        }
        return new DeviceLostException(known);
    }

    boolean isLost() {
        return lost != null;
    }

    private void requireAlive() {
        String why = lost;
        if (why != null) throw new DeviceLostException(why);
    }

    /** All devices of the same driver, in its order. */
    List<CudaDevice> siblings() {
        return backend.cudaDevices();
    }

    /** The device's name. */
    @Override
    public String toString() {
        return name;
    }
}
