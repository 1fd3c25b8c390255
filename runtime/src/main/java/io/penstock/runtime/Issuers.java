package io.penstock.runtime;

import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads that issue work to drivers once the host's part of what it has to follow is over. */
final class Issuers {
    private static final ThreadPoolExecutor THREADS = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            1,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            task -> Thread.ofPlatform()
                    .daemon()
                    .name("penstock-issuer")
                    .inheritInheritableThreadLocals(false)
                    .unstarted(task));

    private Issuers() {}

    static void start(Runnable issuing) {
        THREADS.execute(issuing);
    }
}
