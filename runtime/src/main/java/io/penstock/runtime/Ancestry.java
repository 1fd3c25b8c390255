package io.penstock.runtime;

import io.penstock.runtime.Following.Followed;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What a driver's line has followed on the device, directly or through others. Lines follow each other in circles: the numbers
 * tell how far, and grow meanwhile.
 */
final class Ancestry {
    private Ancestry() {}

    /** A line and something that it has followed. */
    private record Step(DriverLine line, Followed followed) {}

    /** All of it but the line itself. */
    static List<Followed> of(DriverLine line) {
        List<Followed> direct = line.followedNow();
        if (direct.isEmpty()) return direct;
        List<Followed> all = new ArrayList<>();
        for (DriverLine each : lines(line)) all.addAll(each.followedNow());
        all.removeIf(followed -> followed.line().equals(line));
        return all;
    }

    private static Set<DriverLine> lines(DriverLine first) {
        Set<DriverLine> seen = new LinkedHashSet<>();
        List<DriverLine> all = new ArrayList<>(List.of(first));
        seen.add(first);
        for (int i = 0; i < all.size(); i++)
            for (Followed followed : all.get(i).followedNow()) if (seen.add(followed.line())) all.add(followed.line());
        return seen;
    }

    /**
     * Makes the line, and those that it has followed, forget what they have followed and is over without a failure, so that queues
     * that nobody uses any more do not keep each other.
     */
    static void forgetOver(DriverLine line) {
        Set<DriverLine> lines = lines(line);
        List<Step> over = new ArrayList<>();
        for (DriverLine each : lines)
            for (Followed followed : each.followedNow()) if (followed.isOver()) over.add(new Step(each, followed));
        if (over.isEmpty() || hasFailed(lines)) return;
        for (Step step : over) step.line.forget(step.followed);
    }

    /**
     * Whether nobody has to be told of a failure in work that is over, nor in what it has followed.
     *
     * <p>That is over too, whatever else its lines have taken since: the device waited for it. So it is enough that they are asked
     * now, and tell of no failure. Asks the driver.
     */
    static boolean wentWell(DriverLine line) {
        return !hasFailed(lines(line));
    }

    private static boolean hasFailed(Set<DriverLine> lines) {
        for (DriverLine line : lines) if (line.hasFailed()) return true;
        return false;
    }
}
