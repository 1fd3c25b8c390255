package io.penstock.comm;

/** What each rank runs: the same program on all of them. */
@FunctionalInterface
public interface RankProgram {
    /**
     * Runs as one rank.
     *
     * @param ranks the group of all ranks, seen from this one
     * @throws Exception to end all ranks
     */
    void run(Communicator ranks) throws Exception;
}
