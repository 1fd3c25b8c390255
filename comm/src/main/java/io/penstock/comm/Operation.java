package io.penstock.comm;

/** Something that a rank has asked its communicator to do. */
interface Operation {
    /** The call as a person would write it, with sizes. */
    String describe();
}
