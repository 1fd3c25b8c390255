package io.penstock.runtime;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** A flight recorder event: work, or the host, waits for earlier work. */
@Name("io.penstock.Wait")
@Label("Wait")
@Description("Work, or the host, waits for earlier work that touches the same bytes")
@Category("Penstock")
@StackTrace(false)
final class WaitEvent extends jdk.jfr.Event {
    @Label("Queue")
    @Description("Whose work waits; host when a thread waits to use the bytes itself")
    String queue = "";

    @Label("Number")
    @Description("Which work of that queue waits; 0 for the host")
    long number;

    @Label("Waited For")
    @Description("The queue that is waited for")
    String producer = "";

    @Label("Up To")
    @Description("The number up to which the other queue's work is waited for")
    long upTo;

    @Label("Waited")
    @Description("How long; of waits on a device the event itself tells when that was noticed")
    @Timespan(Timespan.NANOSECONDS)
    long waited;
}
