package io.penstock.cli.verify;

import io.penstock.comm.Communicator;
import java.util.Map;

/** How Penstock computes what a kind of recorded case holds. */
@FunctionalInterface
interface Mapping {
    /**
     * Computes the results of a case, by the recorded outputs' names; outputs that it has no counterpart for are left out.
     *
     * @param ranks the group that it is called on; local cases are called on one rank
     * @throws NotCovered when the case asks for something that Penstock does not have
     */
    Map<String, Values> compute(Reference reference, Communicator ranks);
}
