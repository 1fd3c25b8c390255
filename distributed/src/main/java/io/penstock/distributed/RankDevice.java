package io.penstock.distributed;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.comm.Communicator;
import io.penstock.runtime.Device;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/** Which device a rank works on: the ranks of a machine take its devices in turn. */
public final class RankDevice {
    private RankDevice() {}

    /**
     * The device of this rank. A collective, of one all-gather of 8 bytes, unless the name is that of one device.
     *
     * @param name a driver's name, such as {@code cuda} or {@code opencl}: of its devices, the one whose number is this rank's among
     *     the ranks of its machine, beginning anew where there are more ranks than devices. Or the name of one device, such as
     *     {@code cuda:1} or {@code jvm}, which all ranks of the machine share
     * @throws IllegalArgumentException when there is no such device, saying which there are
     */
    public static Device of(Communicator ranks, String name) {
        List<Device> devices = named(name);
        return isOne(name) ? devices.getFirst() : devices.get(localRank(ranks) % devices.size());
    }

    /**
     * The devices that a name stands for, as {@link #of} takes it.
     *
     * @throws IllegalArgumentException when there is none, saying which there are
     */
    public static List<Device> named(String name) {
        if (isOne(name)) return List.of(Device.named(name));
        List<Device> devices = Device.all().stream()
                .filter(device -> device.name().startsWith(name + ":"))
                .toList();
        return devices.isEmpty() ? List.of(Device.named(name)) : devices;
    }

    private static boolean isOne(String name) {
        return name.equals("jvm") || name.contains(":");
    }

    /** How many ranks of the group before this one run on its machine. */
    private static int localRank(Communicator ranks) {
        try (NDArray mine = NDArray.empty(Device.jvm(), DType.I64, 1)) {
            mine.set(machine(), 0);
            List<NDArray> all = new ArrayList<>();
            for (int r = 0; r < ranks.size(); r++) all.add(NDArray.empty(Device.jvm(), DType.I64, 1));
            ranks.allGather(mine, all);
            int before = 0;
            for (int r = 0; r < all.size(); r++) {
                if (r < ranks.rank() && all.get(r).get(0) == mine.get(0)) before++;
                all.get(r).close();
            }
            return before;
        }
    }

    /** A number for this machine, small enough to be exact as a double. */
    private static double machine() {
        try {
            return Integer.toUnsignedLong(
                    InetAddress.getLocalHost().getHostName().hashCode());
        } catch (UnknownHostException e) {
            return 0;
        }
    }
}
