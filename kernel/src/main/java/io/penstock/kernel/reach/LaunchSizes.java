package io.penstock.kernel.reach;

import io.penstock.kernel.ir.Query;
import org.jspecify.annotations.Nullable;

/** What is known when a launch begins: the range, the scalars, and the shapes of the views. */
public interface LaunchSizes {
    /** The value of an integer parameter. */
    long scalar(int parameter);

    /**
     * The answer to a question about a view, or about the range if the parameter is -1; null where asking fails.
     *
     * @param parameter the view's position among the launch's values
     */
    @Nullable
    Long ask(int parameter, Query query);

    /** The extents that as many indices of a view are checked against; null where that many always fail. */
    long @Nullable [] extents(int parameter, int indices);
}
