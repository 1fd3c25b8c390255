package io.penstock.comm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.penstock.runtime.HostMemory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** How the processes of a job find their {@link JobBoard}: rank 0 opens it, and tells the others by MPI where it is. */
final class JobMeeting {
    private static final int ROOM = 2048;

    private JobMeeting() {}

    /** Called by every rank; returns the board on rank 0. A board that cannot be opened leaves each rank to its own watch. */
    static @Nullable JobBoard meet(MpiWorld world, boolean oneMachine, JobSeat seat) {
        JobBoard board = null;
        byte[] text = {};
        if (world.me().rank() == 0) {
            String token = token();
            try {
                board = JobBoard.open(oneMachine ? InetAddress.getLoopbackAddress() : null, token, world.size());
                text = told(token, board.port(), oneMachine).getBytes(StandardCharsets.UTF_8);
            } catch (IOException e) {
                System.getLogger("io.penstock.comm")
                        .log(System.Logger.Level.WARNING, "no board for the job's processes: " + e.getMessage());
            }
        }
        String[] words = broadcast(world, text).split(" ");
        if (words.length < 2) return null;
        List<InetSocketAddress> addresses = new ArrayList<>();
        for (String address : words[1].split(",")) {
            int colon = address.lastIndexOf(':');
            addresses.add(
                    new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))));
        }
        seat.connect(addresses, words[0]);
        return board;
    }

    private static String token() {
        byte[] random = new byte[16];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    private static String told(String token, int port, boolean oneMachine) throws SocketException {
        StringJoiner addresses = new StringJoiner(",", token + " ", "");
        if (oneMachine) addresses.add(InetAddress.getLoopbackAddress().getHostAddress() + ":" + port);
        else
            NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                    .limit(ROOM / 64)
                    .forEach(address -> addresses.add(address.getHostAddress() + ":" + port));
        return addresses.toString();
    }

    private static String broadcast(MpiWorld world, byte[] text) {
        long at = world.me().scratch(ROOM);
        byte[] padded = Arrays.copyOf(text, ROOM);
        for (int i = 0; i < ROOM; i++) HostMemory.ALL.set(JAVA_BYTE, at + i, padded[i]);
        long type = world.library().abi().types().uint8();
        world.check(world.mpi().bcast(at, ROOM, type, 0, world.library().abi().commWorld()), "MPI_Bcast");
        for (int i = 0; i < ROOM; i++) padded[i] = HostMemory.ALL.get(JAVA_BYTE, at + i);
        return new String(padded, StandardCharsets.UTF_8).trim();
    }
}
