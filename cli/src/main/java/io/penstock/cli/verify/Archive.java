package io.penstock.cli.verify;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.zip.ZipFile;

/** An .npz archive of recorded arrays. */
final class Archive {
    private final Path path;

    Archive(Path path) {
        this.path = path;
    }

    synchronized NDArray get(String key) {
        try (ZipFile zip = new ZipFile(path.toFile())) {
            byte[] bytes = zip.getInputStream(zip.getEntry(key + ".npy")).readAllBytes();
            ByteBuffer b = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            int len = b.getShort(8) & 0xFFFF;
            String header = new String(bytes, 10, len, java.nio.charset.StandardCharsets.US_ASCII);
            String shape = header.replaceAll(".*'shape': *\\(([^)]*)\\).*\\s*", "$1");
            String descr = header.replaceAll(".*'descr': *'([^']*)'.*\\s*", "$1");
            long[] dims = java.util.Arrays.stream(shape.split(","))
                    .map(String::strip)
                    .filter(s -> !s.isEmpty())
                    .mapToLong(Long::parseLong)
                    .toArray();
            DType d = switch (descr) {
                case "<f4" -> DType.F32;
                case "<f8" -> DType.F64;
                case "<c8" -> DType.C64;
                case "<c16" -> DType.C128;
                default -> DType.I64;
            };
            NDArray a = NDArray.empty(d, dims);
            java.lang.foreign.MemorySegment.copy(
                    java.lang.foreign.MemorySegment.ofArray(bytes),
                    10 + len,
                    java.lang.foreign.MemorySegment.ofAddress(a.address()).reinterpret(a.size() * d.bytes()),
                    0,
                    a.size() * d.bytes());
            return a;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
