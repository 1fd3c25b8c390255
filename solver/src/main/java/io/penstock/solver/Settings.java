package io.penstock.solver;

import io.penstock.array.Vector;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What all solvers can be told.
 *
 * @param <X> the class of the unknown
 * @param limits when to stop
 * @param observers who is shown every iteration
 * @param saving where the state is saved, null when it is not
 */
record Settings<X extends Vector<X>>(
        Limits limits,
        List<Observer<X>> observers,
        @Nullable Saving saving) {
    static <X extends Vector<X>> Settings<X> defaults() {
        return new Settings<>(Limits.DEFAULT, List.of(), null);
    }

    Settings<X> with(Limits other) {
        return new Settings<>(other, observers, saving);
    }

    Settings<X> with(Observer<X> observer) {
        List<Observer<X>> more = new ArrayList<>(observers);
        more.add(Objects.requireNonNull(observer, "observer is null"));
        return new Settings<>(limits, List.copyOf(more), saving);
    }

    Settings<X> with(Saving other) {
        return new Settings<>(limits, observers, other);
    }
}
