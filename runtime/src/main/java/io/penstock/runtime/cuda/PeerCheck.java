package io.penstock.runtime.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.penstock.foreign.Cuda;
import io.penstock.runtime.HostMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A trial of whether what one device writes to another's memory arrives there, by a copy and by a kernel. */
final class PeerCheck {
    private static final int INTS = 1 << 14;
    private static final long BYTES = 4L * INTS;

    /** Writes {@code from[i] ^ (i * 0x9e3779b1)} to {@code to[i]}, for all i below n. */
    private static final String KERNEL = """
            .version 6.0
            .target sm_52
            .address_size 64
            .visible .entry peer_check(.param .u64 to, .param .u64 from, .param .u32 n)
            {
              .reg .pred %p;
              .reg .b32 %i, %n, %block, %size, %v, %k;
              .reg .b64 %to, %from, %at;
              ld.param.u64 %to, [to];
              ld.param.u64 %from, [from];
              ld.param.u32 %n, [n];
              cvta.to.global.u64 %to, %to;
              cvta.to.global.u64 %from, %from;
              mov.u32 %block, %ctaid.x;
              mov.u32 %size, %ntid.x;
              mov.u32 %i, %tid.x;
              mad.lo.s32 %i, %block, %size, %i;
              setp.ge.u32 %p, %i, %n;
              @%p bra done;
              mul.wide.u32 %at, %i, 4;
              add.s64 %from, %from, %at;
              add.s64 %to, %to, %at;
              ld.global.u32 %v, [%from];
              mul.lo.u32 %k, %i, 0x9e3779b1;
              xor.b32 %v, %v, %k;
              st.global.u32 [%to], %v;
            done:
              ret;
            }
            """;

    private final CudaDevice device;
    private final CudaDevice other;
    private final Cuda calls;

    private PeerCheck(CudaDevice device, CudaDevice other) {
        this.device = device;
        this.other = other;
        this.calls = device.context().calls();
    }

    /** Whether what {@code device} writes to memory of {@code other} arrives. */
    static boolean arrives(CudaDevice device, CudaDevice other) {
        return new PeerCheck(device, other).arrives();
    }

    private boolean arrives() {
        long near = device.memory().take(BYTES);
        long far = other.memory().take(2 * BYTES);
        CudaQueue queue = device.newQueue();
        CudaQueue reader = other.newQueue();
        try (Arena arena = Arena.ofConfined()) {
            // The memory is handed out in the order of streams that nothing was given to.
            long host = device.pinned().take(BYTES);
            try {
                return copied(queue.stream(), reader.stream(), host, near, far)
                        && written(queue.stream(), reader.stream(), host, far, arena);
            } finally {
                device.pinned().free(host, BYTES);
            }
        } finally {
            device.memory().free(near, BYTES);
            other.memory().free(far, 2 * BYTES);
        }
    }

    private static int pattern(int i) {
        return i * 0x01000193 + 0x5bd1e995;
    }

    private boolean copied(long stream, long farStream, long host, long near, long far) {
        for (int i = 0; i < INTS; i++) HostMemory.ALL.set(JAVA_INT, host + 4L * i, pattern(i));
        device.context().enter();
        device.check(calls.memcpyAsync(near, host, BYTES, stream), "cuMemcpyAsync");
        device.check(
                calls.memcpyPeerAsync(
                        far, other.context().handle(), near, device.context().handle(), BYTES, stream),
                "cuMemcpyPeerAsync");
        device.check(calls.streamSynchronize(stream), "cuStreamSynchronize");
        readBack(farStream, host, far);
        for (int i = 0; i < INTS; i++) if (HostMemory.ALL.get(JAVA_INT, host + 4L * i) != pattern(i)) return false;
        return true;
    }

    private boolean written(long stream, long farStream, long host, long far, Arena arena) {
        long module = module(arena);
        try {
            CallingThread thread = device.context().enter();
            device.check(
                    calls.moduleGetFunction(
                            thread.answer(),
                            module,
                            arena.allocateFrom("peer_check").address()),
                    "cuModuleGetFunction");
            long function = thread.answered(0);
            MemorySegment values = arena.allocate(24, 8);
            values.set(JAVA_LONG, 0, far + BYTES);
            values.set(JAVA_LONG, 8, far);
            values.set(JAVA_LONG, 16, INTS);
            MemorySegment parameters = arena.allocate(24, 8);
            for (int k = 0; k < 3; k++) parameters.set(JAVA_LONG, 8L * k, values.address() + 8L * k);
            device.check(
                    calls.launchKernel(function, INTS / 256, 1, 1, 256, 1, 1, 0, stream, parameters.address(), 0),
                    "cuLaunchKernel");
            device.check(calls.streamSynchronize(stream), "cuStreamSynchronize");
        } finally {
            calls.moduleUnload(module);
        }
        readBack(farStream, host, far + BYTES);
        for (int i = 0; i < INTS; i++)
            if (HostMemory.ALL.get(JAVA_INT, host + 4L * i) != (pattern(i) ^ (i * 0x9e3779b1))) return false;
        return true;
    }

    private long module(Arena arena) {
        CallingThread thread = device.context().enter();
        device.check(
                calls.moduleLoadDataEx(
                        thread.answer(), arena.allocateFrom(KERNEL).address(), 0, 0, 0),
                "cuModuleLoadDataEx");
        return thread.answered(0);
    }

    /** Reads memory of the other device by that device itself. */
    private void readBack(long stream, long host, long far) {
        HostMemory.ALL.asSlice(host, BYTES).fill((byte) 0);
        other.context().enter();
        other.check(calls.memcpyAsync(host, far, BYTES, stream), "cuMemcpyAsync");
        other.check(calls.streamSynchronize(stream), "cuStreamSynchronize");
    }
}
