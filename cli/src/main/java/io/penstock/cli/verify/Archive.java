package io.penstock.cli.verify;

import io.penstock.array.NDArray;
import io.penstock.array.Npz;
import java.nio.file.Path;

/**
 * An .npz file of recorded arrays. It is opened for each array: an index may name more archives than a process may have open
 * files, and ranks read at the same time.
 */
record Archive(Path path) {
    NDArray get(String key) {
        try (Npz npz = Npz.open(path)) {
            return npz.get(key);
        }
    }
}
