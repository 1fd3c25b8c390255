package io.penstock.array;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/** An open .npz archive: named arrays in a zip file, each read when it is asked for. */
public final class Npz implements AutoCloseable {
    private static final String EXPECTED = "; expected an .npz archive (a single .npy file is read by NDArray.load)";
    private static final String SUFFIX = ".npy";
    /** The most bytes that a byte of deflated data can stand for (zlib's documentation: 1032 to 1). */
    private static final long MOST_INFLATION = 1032;
    /** Zip files carry a time; a fixed one makes equal arrays equal files. */
    private static final LocalDateTime EPOCH = LocalDateTime.of(1980, 1, 1, 0, 0);

    private final Path path;
    private final ZipFile zip;
    private final long fileLength;
    private final List<String> names;

    private Npz(Path path, ZipFile zip, long fileLength, List<String> names) {
        this.path = path;
        this.zip = zip;
        this.fileLength = fileLength;
        this.names = names;
    }

    /**
     * Opens an archive, stored or deflated, and reads its list of entries.
     *
     * @throws ArrayFileException when it is not a zip file
     */
    public static Npz open(Path path) {
        try {
            if (Files.exists(path) && !Files.isRegularFile(path)) throw new IOException("not a regular file");
            ZipFile zip = new ZipFile(path.toFile());
            List<String> names = zip.stream()
                    .map(ZipEntry::getName)
                    .filter(name -> name.endsWith(SUFFIX))
                    .map(name -> name.substring(0, name.length() - SUFFIX.length()))
                    .toList();
            return new Npz(path, zip, Files.size(path), names);
        } catch (IOException e) {
            throw ArrayFileException.unreadable(path.toString(), "zip directory", e, EXPECTED);
        } catch (IllegalArgumentException e) {
            throw new ArrayFileException(
                    path.toString(), "zip directory", "cannot be read: " + e.getMessage() + EXPECTED, e);
        }
    }

    /** The names of the arrays, in the order of the archive. */
    public List<String> names() {
        return names;
    }

    /**
     * Reads an array.
     *
     * @throws ArrayFileException when the archive has none of that name, or it is malformed
     */
    public NDArray get(String name) {
        ZipEntry entry = zip.getEntry(name + SUFFIX);
        if (entry == null)
            throw new ArrayFileException(
                    path.toString(), "entry " + name + SUFFIX, "not found; the archive has " + names);
        long size = entry.getSize();
        long compressed = Math.min(entry.getCompressedSize(), fileLength); // an entry may say anything of itself
        if (size < 0 || size / MOST_INFLATION > compressed)
            throw malformed(
                    entry,
                    "is said to have " + size + " bytes, more than " + compressed + " compressed bytes can give",
                    null);
        CRC32 crc = new CRC32();
        NDArray array;
        try (InputStream raw = zip.getInputStream(entry);
                InputStream in = new CheckedInputStream(raw, crc)) {
            array = Npy.read(new ByteSource(path.toString(), "entry " + entry.getName() + " ", in, size));
        } catch (IOException | IllegalArgumentException e) {
            throw malformed(entry, "cannot be read: " + e.getMessage(), e);
        }
        if (crc.getValue() == entry.getCrc()) return Creation.placed(array);
        array.close();
        throw malformed(
                entry,
                "its checksum is " + Long.toHexString(crc.getValue()) + "; expected "
                        + Long.toHexString(entry.getCrc()),
                null);
    }

    private ArrayFileException malformed(ZipEntry entry, String problem, @Nullable Exception e) {
        return new ArrayFileException(path.toString(), "entry " + entry.getName(), problem, e);
    }

    @Override
    public void close() {
        try {
            zip.close();
        } catch (IOException e) {
            throw new ArrayFileException(path.toString(), "zip directory", "cannot be closed: " + e.getMessage(), e);
        }
    }

    /**
     * Writes an archive, replacing the file if there is one.
     *
     * @param arrays the arrays by name, in the order in which they are written
     * @param compressed whether to deflate them
     * @throws ArrayFileException when the file cannot be written
     */
    public static void write(Path path, Map<String, NDArray> arrays, boolean compressed) {
        try (OutputStream file = new BufferedOutputStream(Files.newOutputStream(path));
                ZipOutputStream zip = new ZipOutputStream(file)) {
            for (Map.Entry<String, NDArray> named : arrays.entrySet()) {
                ZipEntry entry = new ZipEntry(named.getKey() + SUFFIX);
                entry.setTimeLocal(EPOCH);
                if (!compressed) describe(entry, named.getValue());
                zip.putNextEntry(entry);
                Npy.write(named.getValue(), zip);
                zip.closeEntry();
            }
        } catch (IOException e) {
            throw ArrayFileException.unwritable(path.toString(), e);
        }
    }

    /** A stored entry says its length and checksum before its data. */
    private static void describe(ZipEntry entry, NDArray array) throws IOException {
        CRC32 crc = new CRC32();
        Npy.write(array, new CheckedOutputStream(OutputStream.nullOutputStream(), crc));
        entry.setMethod(ZipEntry.STORED);
        entry.setSize(Npy.length(array));
        entry.setCrc(crc.getValue());
    }
}
