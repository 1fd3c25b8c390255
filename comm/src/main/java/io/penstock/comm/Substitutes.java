package io.penstock.comm;

import io.penstock.array.NDArray;

/** Puts others in the place of arrays that a communicator cannot be given as they are. */
interface Substitutes {
    /**
     * What the communicator is to be given for an array: itself where that is possible.
     *
     * @param reads whether the call reads it
     * @param writes whether the call writes it
     */
    NDArray reachable(NDArray array, boolean reads, boolean writes);

    /** {@link #reachable(NDArray, boolean, boolean)} for each of several arrays. */
    default NDArray[] reachable(NDArray[] arrays, boolean reads, boolean writes) {
        NDArray[] result = new NDArray[arrays.length];
        for (int i = 0; i < arrays.length; i++) result[i] = reachable(arrays[i], reads, writes);
        return result;
    }
}
