package io.penstock.comm;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.foreign.Nccl;
import io.penstock.runtime.Device;
import io.penstock.runtime.cuda.CudaDevice;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** Whether the ranks of a group can use NCCL: all must have it, and a GPU of their own. They agree about that. */
final class NcclChoice {
    private NcclChoice() {}

    static Communicator of(Communicator ranks, Device device) {
        CheckedCommunicator base = (CheckedCommunicator) ranks;
        Nccl nccl = device instanceof CudaDevice ? NcclLibrary.found().functions() : null;
        double[] able = {nccl == null ? 0 : 1};
        ranks.allReduce(able, 1, ReduceOp.MIN);
        if (able[0] == 0 || nccl == null || !(device instanceof CudaDevice gpu) || !isOnItsOwn(ranks, gpu))
            return ranks;
        return new NcclCommunicator(base, null, gpu, nccl);
    }

    /** Whether no two ranks have the same GPU. */
    private static boolean isOnItsOwn(Communicator ranks, CudaDevice gpu) {
        try (NDArray mine = NDArray.empty(Device.jvm(), DType.I64, 1)) {
            mine.set(place(gpu), 0);
            List<NDArray> all = new ArrayList<>();
            for (int r = 0; r < ranks.size(); r++) all.add(NDArray.empty(Device.jvm(), DType.I64, 1));
            ranks.allGather(mine, all);
            HashSet<Double> places = new HashSet<>();
            for (NDArray place : all) {
                places.add(place.get(0));
                place.close();
            }
            return places.size() == ranks.size();
        }
    }

    /** A number for the GPU of a machine, small enough to be exact as a double. */
    private static double place(CudaDevice gpu) {
        String host;
        try {
            host = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            host = "";
        }
        return Integer.toUnsignedLong((host + " " + gpu.busId()).hashCode());
    }
}
