package io.penstock.comm;

import io.penstock.array.NDArray;
import io.penstock.array.Reductions;
import io.penstock.runtime.Device;
import java.util.List;

/**
 * A group of ranks that exchange arrays.
 *
 * <p>A collective must be called by every rank of the group, in the same order and with the same kind, root, operation, element
 * type and counts; ranks that disagree all get a {@link CommunicatorException} that says who called what. Arrays may have any
 * shape and strides, views included; only their number of elements and element type must agree between sender and receiver.
 * What a rank receives goes into arrays that it provides, so nothing about sizes is ever sent. An array that was closed is
 * refused by an {@link IllegalStateException}, before anything is sent.
 *
 * <p>What a call writes may overlap none of its other arrays, which an {@link IllegalArgumentException} refuses before anything is sent; where an
 * algorithm works in place, copy what is sent. Reductions and broadcasts of one array are in place by nature, and what a rank hands over
 * to itself may lie exactly where it is to go: {@code part} in its own place of {@code into}, or {@code into} in its own place of
 * {@code parts}. Of calls without waiting, those that are under way at once are like one.
 *
 * <p>A blocking call returns when this rank's arrays may be used again. A communicator, and those split from it,
 * are used by one thread a rank.
 *
 * <p>{@link #send} may wait until the receiver is there; two ranks that send to each other before they receive wait for ever,
 * and are told so.
 */
public interface Communicator extends AutoCloseable {
    /**
     * The ranks of a group, each with its device: collectives on arrays in the memory of GPUs go by NCCL where every rank has it and a GPU
     * of its own, all others as those of {@code ranks}. A collective; the result is {@code ranks} where there is no NCCL to use.
     * The arrays of one call, and both ends of a message, must lie on GPUs on every rank or on none.
     *
     * @param device this rank's device
     */
    static Communicator of(Communicator ranks, Device device) {
        return NcclChoice.of(ranks, device);
    }

    /** This process' or thread's number within the group, from 0. */
    int rank();

    /** How many ranks the group has. */
    int size();

    /** What kind of communicator this is and who is in it, for messages. */
    String name();

    /** What this rank has sent so far, through this communicator and those split from it. */
    Traffic traffic();

    /** Returns once every rank has called it. */
    void barrier();

    /** Copies {@code data} of rank {@code root} into {@code data} of all others. */
    void broadcast(NDArray data, int root);

    /** Replaces {@code data} on every rank by the elementwise reduction over all ranks; every rank gets the same bits. */
    void allReduce(NDArray data, ReduceOp op);

    /** Replaces the first {@code count} values on every rank by their reduction over all ranks; every rank gets the same bits. */
    void allReduce(double[] values, int count, ReduceOp op);

    /** Like {@link #allReduce(NDArray, ReduceOp)}, but only rank {@code root} gets the result; the others' arrays stay as they are. */
    void reduce(NDArray data, ReduceOp op, int root);

    /**
     * Reduces over all ranks, and leaves each rank its own part of the result.
     *
     * @param parts what this rank contributes: for each rank, the array that goes into that rank's part
     * @param into where this rank's part of the result goes
     */
    void reduceScatter(List<NDArray> parts, NDArray into, ReduceOp op);

    /**
     * Gives every rank the parts of all ranks, which may differ in size.
     *
     * @param part this rank's part
     * @param into for each rank, where its part goes
     */
    void allGather(NDArray part, List<NDArray> into);

    /**
     * Brings the parts of all ranks to one.
     *
     * @param into for each rank, where its part goes; looked at on rank {@code root} only
     */
    void gather(NDArray part, List<NDArray> into, int root);

    /**
     * Sends each rank its part from one.
     *
     * @param parts for each rank, its part; looked at on rank {@code root} only
     */
    void scatter(List<NDArray> parts, NDArray into, int root);

    /**
     * Sends a part to, and receives a part from, each rank.
     *
     * @param parts for each rank, what goes to it
     * @param into for each rank, where what comes from it goes
     */
    void allToAll(List<NDArray> parts, List<NDArray> into);

    /** Sends an array; {@code tag}, from 0 to 32767 as every MPI takes it, must equal the receiver's. */
    void send(NDArray data, int destination, int tag);

    /** Receives an array that {@code source} sends with the same tag. Messages between two ranks with one tag keep their order. */
    void receive(NDArray data, int source, int tag);

    /** Sends and receives at the same time, so that two ranks that exchange do not wait for each other. */
    void sendReceive(NDArray send, int destination, NDArray receive, int source, int tag);

    /** {@link #send}, without waiting. */
    Request isend(NDArray data, int destination, int tag);

    /** {@link #receive}, without waiting. */
    Request ireceive(NDArray data, int source, int tag);

    /**
     * Messages with several ranks that are under way at once, such as the halo of a stencil. The k-th array that goes to a rank arrives in the
     * k-th array that it has for this one in its own exchange, which is its next exchange with this rank; other messages are none of an
     * exchange's. Ranks that exchange nothing need not call. Between GPUs all of it is one group of NCCL's.
     *
     * @param sends what goes out, and to whom
     * @param receives where what comes in goes, and from whom
     */
    Request iexchange(List<Envelope> sends, List<Envelope> receives);

    /**
     * Whether collectives and exchanges of arrays like this one are submitted to a queue of its device, like kernels: then nobody waits
     * before or after them.
     */
    boolean isQueued(NDArray array);

    /** {@link #barrier}, without waiting. */
    Request ibarrier();

    /** {@link #broadcast}, without waiting. */
    Request ibroadcast(NDArray data, int root);

    /** {@link #allReduce(NDArray, ReduceOp)}, without waiting. */
    Request iallReduce(NDArray data, ReduceOp op);

    /** {@link #allGather}, without waiting. */
    Request iallGather(NDArray part, List<NDArray> into);

    /** {@link #allToAll}, without waiting. */
    Request iallToAll(List<NDArray> parts, List<NDArray> into);

    /**
     * Divides the group: ranks with the same colour form a new communicator.
     *
     * @param colour which group this rank joins, not negative
     * @param key orders the ranks of a new group; ties keep their order
     */
    Communicator split(int colour, int key);

    /** This group as one over which {@link Reductions} sum; the same object at every call. */
    Reductions.Group reductions();

    /**
     * Frees what the communicator holds. To be called by every rank.
     *
     * @throws CommunicatorException when this rank has not awaited all that it began
     */
    @Override
    void close();
}
