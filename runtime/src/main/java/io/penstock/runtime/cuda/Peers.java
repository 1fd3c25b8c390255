package io.penstock.runtime.cuda;

import static io.penstock.foreign.CudaValues.CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
import static io.penstock.foreign.CudaValues.CUDA_SUCCESS;
import static io.penstock.foreign.CudaValues.CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
import static io.penstock.foreign.CudaValues.CU_MEM_LOCATION_TYPE_DEVICE;
import static io.penstock.foreign.CudaValues.MEM_ACCESS_DESC;
import static io.penstock.foreign.CudaValues.offset;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.penstock.runtime.HostMemory;
import java.util.HashMap;
import java.util.Map;

/**
 * Which other devices' memory a device reaches: those that the driver says, and where bytes written there by a copy and by a kernel
 * were seen to arrive. There are systems on which all calls succeed and the bytes do not arrive.
 */
final class Peers {
    private static final System.Logger LOG = System.getLogger("io.penstock.runtime.cuda");

    private final CudaDevice device;
    private final Map<CudaDevice, Boolean> reached = new HashMap<>();

    Peers(CudaDevice device) {
        this.device = device;
    }

    /** Whether work of this device may touch another one's memory. Looks when first asked, which takes some milliseconds. */
    synchronized boolean reaches(CudaDevice other) {
        return reached.computeIfAbsent(other, this::look);
    }

    private boolean look(CudaDevice other) {
        if (!device.context().claimsAccessTo(other.context())) return false;
        try {
            open(other);
            if (PeerCheck.arrives(device, other)) return true;
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} was given access to the memory of {1}, but what it writes does not arrive; copies are staged",
                    device,
                    other);
        } catch (CudaException e) {
            LOG.log(System.Logger.Level.WARNING, device + " gets no access to the memory of " + other, e);
        }
        return false;
    }

    private void open(CudaDevice other) {
        CallingThread thread = device.context().enter();
        int code = device.context().calls().ctxEnablePeerAccess(other.context().handle(), 0);
        if (code != CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED && code != CUDA_SUCCESS)
            device.check(code, "cuCtxEnablePeerAccess");
        long access = thread.clearedStruct();
        put(access, "location.type", CU_MEM_LOCATION_TYPE_DEVICE);
        put(access, "location.id", device.context().ordinal());
        put(access, "flags", CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
        device.check(device.context().calls().memPoolSetAccess(other.memory().pool(), access, 1), "cuMemPoolSetAccess");
    }

    private static void put(long struct, String member, int value) {
        HostMemory.ALL.set(JAVA_INT, struct + offset(MEM_ACCESS_DESC, member), value);
    }
}
