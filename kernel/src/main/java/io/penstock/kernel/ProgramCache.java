package io.penstock.kernel;

import io.penstock.runtime.DeviceCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Compiled kernels on disk, each in a file that is named by what it was compiled from: text, options, compiler, device and driver. Beside
 * them lie files that say what launches need to find their programs without compiling; see {@link LaunchCache}.
 *
 * <p>The folder is {@code ~/.cache/penstock}, or what the environment says by {@code PENSTOCK_CACHE}; {@code off} keeps nothing. Any
 * number of processes may use it at a time: files appear complete and never change, and one that is damaged is written anew. A folder that
 * cannot be written is read only. What processes that were killed have begun is removed after an hour, by the next one that writes.
 */
public final class ProgramCache {
    private static final System.Logger LOG = System.getLogger("io.penstock.kernel");
    private static final String VARIABLE = "PENSTOCK_CACHE";
    private static final String SUFFIX = ".kernel";
    private static final String LAUNCHES = ".launches";
    private static final String UNFINISHED = ".part";
    private static final int CHECKSUM = Long.BYTES;

    /** How old a file is that nobody can still be writing. */
    private static final Duration ABANDONED = Duration.ofHours(1);

    /**
     * A compiled program.
     *
     * @param name what {@link #program} finds it by
     * @param binary what the device loads; not to be changed
     * @param kept whether it comes from the disk
     */
    @SuppressWarnings("ArrayRecordComponent") // It goes from one method to the next, and is never compared.
    record Program(String name, byte[] binary, boolean kept) {}

    private final @Nullable Path folder;
    private volatile boolean refusesWrites;
    private final AtomicBoolean swept = new AtomicBoolean();

    /** A cache in a folder; null keeps nothing. */
    ProgramCache(@Nullable Path folder) {
        this.folder = folder;
    }

    /** The cache of this process, as the environment has it. */
    public static ProgramCache standard() {
        String chosen = System.getenv(VARIABLE);
        if ("off".equals(chosen)) return new ProgramCache(null);
        return new ProgramCache(
                chosen != null && !chosen.isEmpty()
                        ? Path.of(chosen)
                        : Path.of(System.getProperty("user.home"), ".cache", "penstock"));
    }

    /** Where the files are; null when nothing is kept. */
    public @Nullable Path folder() {
        return folder;
    }

    /**
     * What the cache holds.
     *
     * @param programs how many compiled programs
     * @param bytes how large their files are together
     */
    public record Content(long programs, long bytes) {}

    /** What the cache holds now. */
    public Content content() {
        long programs = 0;
        long bytes = 0;
        for (Path file : files(SUFFIX)) {
            long size = size(file);
            bytes += size;
            if (size > 0) programs++;
        }
        for (Path file : files(LAUNCHES)) bytes += size(file);
        return new Content(programs, bytes);
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (NoSuchFileException e) {
            return 0; // Another process has cleared it.
        } catch (IOException e) {
            throw new UncheckedIOException("the size of " + file + " cannot be read", e);
        }
    }

    /** Removes all programs, also those that other processes have compiled, which lose nothing but time; how many there were. */
    public long clear() {
        long removed = 0;
        for (Path file : files(LAUNCHES)) remove(file);
        for (Path file : files(SUFFIX)) if (remove(file)) removed++;
        sweep();
        return removed;
    }

    /** Removes what was begun and left; whoever else does so at the same time does no harm. */
    private void sweep() {
        Instant latest = Instant.now().minus(ABANDONED);
        for (Path file : files(UNFINISHED)) {
            try {
                if (Files.getLastModifiedTime(file).toInstant().isBefore(latest)) Files.deleteIfExists(file);
            } catch (IOException e) {
                LOG.log(System.Logger.Level.DEBUG, "{0} is left in the cache: {1}", file, e.toString());
            }
        }
    }

    private static boolean remove(Path file) {
        try {
            return Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be removed", e);
        }
    }

    private List<Path> files(String suffix) {
        List<Path> files = new ArrayList<>();
        if (folder == null || !Files.isDirectory(folder)) return files;
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, "*" + suffix)) {
            all.forEach(files::add);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "the cache " + folder + " cannot be listed; " + VARIABLE + " names another", e);
        }
        return files;
    }

    /** Whether nothing is kept. */
    boolean isOff() {
        return folder == null;
    }

    /** The program of a text, compiled unless it was before. */
    Program compiled(DeviceCode device, String source, List<String> options) {
        String name = key(device, source, options);
        byte[] known = program(name);
        return known != null ? new Program(name, known, true) : compile(name, device, source, options);
    }

    /** The program of a text, compiled in place of one that the device has refused. */
    Program compiledAnew(DeviceCode device, String source, List<String> options) {
        return compile(key(device, source, options), device, source, options);
    }

    private Program compile(String name, DeviceCode device, String source, List<String> options) {
        byte[] made = device.compile(source, options);
        write(name + SUFFIX, made);
        return new Program(name, made, false);
    }

    /** A program that was compiled before, by its name; null when it is not there. */
    byte @Nullable [] program(String name) {
        return read(name + SUFFIX);
    }

    /** What is kept under a name of the launches of a kernel; null when nothing is. */
    byte @Nullable [] launches(String name) {
        return read(name + LAUNCHES);
    }

    /** Keeps what launches of a kernel need, in place of what is there. */
    void keepLaunches(String name, byte[] content) {
        write(name + LAUNCHES, content);
    }

    private static String key(DeviceCode device, String source, List<String> options) {
        MessageDigest digest = sha256();
        for (String part : List.of(device.language().name(), device.identity(), String.join("\n", options), source)) {
            byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
            digest.update((bytes.length + "\n").getBytes(StandardCharsets.UTF_8));
            digest.update(bytes);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Java has no SHA-256", e);
        }
    }

    /** The content of a file behind its checksum; null when there is none, or it is damaged. */
    private byte @Nullable [] read(String name) {
        if (folder == null) return null;
        try {
            byte[] all = Files.readAllBytes(folder.resolve(name));
            if (all.length < CHECKSUM) return null;
            long expected = ByteBuffer.wrap(all).getLong();
            return sum(name, all) == expected ? Arrays.copyOfRange(all, CHECKSUM, all.length) : null;
        } catch (IOException e) {
            return null;
        }
    }

    /** The sum of what stands behind it, and of the name, so that no file is taken for another. */
    private static long sum(String name, byte[] all) {
        return Checksum.of(all, CHECKSUM, all.length - CHECKSUM)
                + 31 * Checksum.of(name.getBytes(StandardCharsets.UTF_8));
    }

    private void write(String name, byte[] content) {
        if (folder == null || refusesWrites) return;
        Path file = folder.resolve(name);
        try {
            Path parent = file.toAbsolutePath().getParent();
            Files.createDirectories(parent);
            if (!swept.getAndSet(true)) sweep();
            Path part = Files.createTempFile(parent, "new", UNFINISHED);
            try {
                byte[] all = new byte[CHECKSUM + content.length];
                System.arraycopy(content, 0, all, CHECKSUM, content.length);
                ByteBuffer.wrap(all).putLong(sum(name, all));
                Files.write(part, all);
                Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(part);
            }
        } catch (IOException e) {
            refusesWrites = true;
            LOG.log(
                    System.Logger.Level.WARNING,
                    "newly compiled kernels are not kept: {0} cannot be written ({1}); name a folder by {2}, or turn it off by"
                            + " {2}=off",
                    file,
                    e.toString(),
                    VARIABLE);
        }
    }
}
