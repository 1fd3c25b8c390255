package io.penstock.operator;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.array.Npz;
import io.penstock.testing.Oracle;
import tools.jackson.databind.JsonNode;

/** The arrays and numbers of recorded cases. */
final class RecordedArrays {
    private RecordedArrays() {}

    static NDArray array(Oracle.Case c, String name) {
        try (Npz archive = Npz.open(c.archive())) {
            return archive.get(c.key(name));
        }
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
}
