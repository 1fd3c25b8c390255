package io.penstock.operator;

import io.penstock.array.Complex;
import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.testing.Oracle;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.ZipFile;
import tools.jackson.databind.JsonNode;

/** The arrays of recorded cases: deflated .npy files of version 1.0, little endian and in C order, as the oracle's README says. */
final class RecordedArrays {
    private RecordedArrays() {}

    static NDArray array(Oracle.Case c, String name) {
        JsonNode described = c.json().path("arrays").path(name);
        DType dtype = dtype(described.path("dtype").asString());
        long[] shape = longs(described.path("shape"));
        NDArray array = NDArray.empty(dtype, shape);
        NDArray flat = array.reshape(array.size());
        ByteBuffer bytes = bytes(c, c.key(name) + ".npy");
        for (int i = 0; i < flat.size(); i++)
            switch (dtype) {
                case F32 -> flat.set(bytes.getFloat(), i);
                case F64 -> flat.set(bytes.getDouble(), i);
                case C64 -> flat.set(new Complex(bytes.getFloat(), bytes.getFloat()), i);
                default -> flat.set(new Complex(bytes.getDouble(), bytes.getDouble()), i);
            }
        return array;
    }

    static DType dtype(String name) {
        return switch (name) {
            case "float32" -> DType.F32;
            case "float64" -> DType.F64;
            case "complex64" -> DType.C64;
            case "complex128" -> DType.C128;
            default -> throw new IllegalArgumentException("dtype is " + name);
        };
    }

    static long[] longs(JsonNode list) {
        long[] values = new long[list.size()];
        for (int i = 0; i < values.length; i++) values[i] = list.get(i).asLong();
        return values;
    }

    static double[] doubles(JsonNode list) {
        double[] values = new double[list.size()];
        for (int i = 0; i < values.length; i++) values[i] = list.get(i).asDouble();
        return values;
    }

    private static ByteBuffer bytes(Oracle.Case c, String entry) {
        try (ZipFile zip = new ZipFile(c.archive().toFile());
                InputStream in = zip.getInputStream(zip.getEntry(entry))) {
            ByteBuffer bytes = ByteBuffer.wrap(in.readAllBytes()).order(ByteOrder.LITTLE_ENDIAN);
            return bytes.position(10 + Short.toUnsignedInt(bytes.getShort(8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
