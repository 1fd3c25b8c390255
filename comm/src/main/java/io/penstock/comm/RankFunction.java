package io.penstock.comm;

import org.jspecify.annotations.Nullable;

/**
 * What each rank computes: the same function on all of them.
 *
 * @param <T> the type of the result
 */
@FunctionalInterface
public interface RankFunction<T extends @Nullable Object> {
    /**
     * Runs as one rank.
     *
     * @param ranks the group of all ranks, seen from this one
     * @return this rank's result
     * @throws Exception to end all ranks
     */
    T call(Communicator ranks) throws Exception;
}
