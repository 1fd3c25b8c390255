package io.penstock.comm;

import io.penstock.runtime.Device;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Has all programs of one rank run with an NCCL communicator on the first GPU. The arrays that they make lie there unless they say
 * otherwise, but for tests of devices, which say where. JUnit finds this where {@code junit.jupiter.extensions.autodetection.enabled} is set,
 * as the device suite does. Tests that cannot run so, such as those that make a part of a distributed array on the host, are tagged {@code host}.
 */
public final class NcclSetting implements BeforeAllCallback, Ranks.Setting {
    private boolean places;

    /** For the service loader. */
    public NcclSetting() {}

    @Override
    public void beforeAll(ExtensionContext context) {
        places = !context.getRequiredTestClass().getSimpleName().startsWith("Cuda");
        Ranks.setting = this;
    }

    @Override
    @SuppressWarnings("NullAway") // null only where T allows it
    public <T extends @Nullable Object> T run(Communicator ranks, RankFunction<T> body) throws Exception {
        if (ranks.size() > 1) return body.call(ranks);
        Device device = Device.named("cuda:0");
        Communicator nccl = Communicator.of(ranks, device);
        if (!(nccl instanceof NcclCommunicator)) throw new AssertionError("no NCCL on " + device.name());
        if (!places)
            try (nccl) {
                return body.call(nccl);
            }
        AtomicReference<T> result = new AtomicReference<>();
        AtomicReference<Exception> thrown = new AtomicReference<>();
        device.queue().during(() -> {
            try (nccl) {
                result.set(body.call(nccl));
            } catch (Exception e) {
                thrown.set(e);
            }
        });
        if (thrown.get() != null) throw thrown.get();
        return result.get();
    }
}
