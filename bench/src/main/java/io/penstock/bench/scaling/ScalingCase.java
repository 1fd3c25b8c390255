package io.penstock.bench.scaling;

import io.penstock.comm.Communicator;
import io.penstock.runtime.Device;

/** A problem whose time on several devices is compared with that on one. */
interface ScalingCase {
    /** A short name, by which cases are chosen. */
    String name();

    /** How large it is, for people. */
    String size();

    /**
     * Sets the problem up on the ranks of a group; a collective.
     *
     * @param device where this rank's arrays are to lie
     * @param times how many times as much work as on one device there is to be
     */
    Step begin(Communicator ranks, Device device, int times);

    /** What is timed. */
    interface Step extends AutoCloseable {
        /** Does it once; a collective. */
        void run();

        /** A number that the result has on any number of ranks, but for rounding; a collective. */
        double mark();

        /** Frees what scopes do not. */
        @Override
        void close();
    }
}
