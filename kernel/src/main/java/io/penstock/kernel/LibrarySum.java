package io.penstock.kernel;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.CodeSource;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What tells this compiler of kernels from any other build of it: the list of files in its archive, in which each has its own sum, or
 * where it is not packed, the files.
 */
final class LibrarySum {
    /** An archive ends with a record of this length, if it has no comment, that says where its list of files is. */
    private static final int END_BYTES = 22;

    private static final int END_SIGNATURE = 0x06054b50;
    private static final int LIST_BYTES = 12;
    private static final int LIST_BEGIN = 16;

    private LibrarySum() {}

    /** The sum; null when it cannot be had, so that nothing must be kept that depends on it. */
    static @Nullable String find() {
        CodeSource source = LibrarySum.class.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null) return null;
        try {
            File place = new File(source.getLocation().toURI());
            long sum = place.isDirectory() ? ofFolder(new File(place, "io/penstock/kernel")) : ofArchive(place);
            return Long.toHexString(sum);
        } catch (IOException | URISyntaxException | IllegalArgumentException | SecurityException e) {
            return null;
        }
    }

    private static long ofArchive(File archive) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(archive, "r")) {
            byte[] end = new byte[END_BYTES];
            file.seek(file.length() - END_BYTES);
            file.readFully(end);
            ByteBuffer record = ByteBuffer.wrap(end).order(ByteOrder.LITTLE_ENDIAN);
            if (record.getInt(0) != END_SIGNATURE) throw new IOException(archive + " does not end as an archive does");
            byte[] list = new byte[Math.max(0, record.getInt(LIST_BYTES))];
            file.seek(Integer.toUnsignedLong(record.getInt(LIST_BEGIN)));
            file.readFully(list);
            return Checksum.of(list);
        }
    }

    /** Of all files in a folder and those in it; without streams and paths, which a JVM that has just begun takes longer for. */
    private static long ofFolder(File folder) throws IOException {
        File[] all = folder.listFiles();
        if (all == null) throw new IOException(folder + " cannot be listed");
        Arrays.sort(all);
        ByteBuffer sums = ByteBuffer.allocate(2 * Long.BYTES * all.length);
        for (File file : all) {
            sums.putLong(Checksum.of(file.getName().getBytes(StandardCharsets.UTF_8)));
            if (file.isDirectory()) {
                sums.putLong(ofFolder(file));
                continue;
            }
            try (FileInputStream in = new FileInputStream(file)) {
                sums.putLong(Checksum.of(in.readAllBytes()));
            }
        }
        return Checksum.of(sums.array());
    }
}
