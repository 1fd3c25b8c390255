package io.penstock.runtime;

import java.util.List;
import java.util.Optional;

/**
 * A driver through which devices are reached. Found by {@link java.util.ServiceLoader}; its library is loaded when its devices are
 * first asked for.
 */
public interface Backend {
    /** What its devices' names begin with, such as {@code cuda}. */
    String name();

    /** The devices that the driver offers, in its order; empty when there is no driver or no device. The same at each call. */
    List<Device> devices();

    /** Why {@link #devices} has none, for a person to read; empty when it has some. */
    Optional<String> absence();
}
