package io.penstock.cli.verify;

import io.penstock.array.NDArray;
import io.penstock.array.Npz;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** A small folder of recorded cases, made by hand: the forward derivative of (0, 1, 4, 9) is (1, 3, 5, 0). */
final class Recorded {
    static final String INDEX = """
            {"format": 1, "cases": [
              {"id": "a/c000", "file": "a.npz", "kind": "operator", "op": "FirstDerivative", "distributed": false,
               "params": {"dims": [4], "axis": 0, "sampling": 1.0, "kind": "forward", "edge": false, "order": 3},
               "dtype": "float64", "dims": [4], "dimsd": [4], "tol": {"rtol": 1e-12, "atol": 1e-14},
               "checks": [{"apply": "forward", "in": "x", "out": "y"}, {"apply": "adjoint", "in": "u", "out": "v"}],
               "arrays": {"x": {"key": "c000.x"}, "y": {"key": "c000.y"}, "u": {"key": "c000.u"}, "v": {"key": "c000.v"}}},
              {"id": "a/c001", "file": "a.npz", "kind": "operator", "op": "MPIFirstDerivative", "distributed": true,
               "params": {"dims": [4], "sampling": 1.0, "kind": "forward", "edge": false, "order": 3},
               "dtype": "float64", "dims": [4], "dimsd": [4], "tol": {"rtol": 1e-12, "atol": 1e-14},
               "checks": [{"apply": "forward", "in": "x", "out": "y"}],
               "arrays": {"x": {"key": "c000.x"}, "y": {"key": "c000.y"}}},
              {"id": "a/c002", "file": "a.npz", "kind": "operator", "op": "Perpetuum", "distributed": false, "params": {},
               "dtype": "float64", "tol": {"rtol": 0, "atol": 0}, "arrays": {}}
            ]}
            """;

    private Recorded() {}

    static Path write(Path folder, String index) throws IOException {
        Map<String, NDArray> arrays = new LinkedHashMap<>();
        arrays.put("c000.x", NDArray.of(0, 1, 4, 9));
        arrays.put("c000.y", NDArray.of(1, 3, 5, 0));
        arrays.put("c000.u", NDArray.of(1, 1, 1, 1));
        arrays.put("c000.v", NDArray.of(-1, 0, 0, 1));
        Npz.write(folder.resolve("a.npz"), arrays, true);
        Files.writeString(folder.resolve("index.json"), index);
        return folder;
    }
}
