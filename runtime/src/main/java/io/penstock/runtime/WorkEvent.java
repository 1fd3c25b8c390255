package io.penstock.runtime;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** A flight recorder event: a piece of work, from its beginning to its end. */
@Name("io.penstock.Work")
@Label("Work")
@Description("A piece of work on a queue")
@Category("Penstock")
@StackTrace(false)
final class WorkEvent extends jdk.jfr.Event {
    @Label("Queue")
    String queue = "";

    @Label("Label")
    @Description("The work's name, such as that of a kernel")
    String label = "";

    @Label("Number")
    @Description("Its place among the queue's work; 1 on a direct queue")
    long number;

    @Label("Bytes Read")
    @DataAmount
    long read;

    @Label("Bytes Written")
    @DataAmount
    long written;

    @Label("Waited")
    @Description("How long its queue waited for other queues before it, on a device")
    @Timespan(Timespan.NANOSECONDS)
    long waited;

    @Label("Ran")
    @Description("How long it ran; of work on a device the event itself tells when that was noticed")
    @Timespan(Timespan.NANOSECONDS)
    long ran;

    @Label("Failure")
    @Description("What the work has thrown; empty when it went well")
    String failure = "";
}
