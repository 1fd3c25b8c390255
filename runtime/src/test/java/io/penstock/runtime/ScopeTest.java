package io.penstock.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.testing.Seeded;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ScopeTest {
    private record Box(Buffer buffer) implements Scope.Owned {
        @Override
        public void forEachBuffer(Consumer<Buffer> visitor) {
            visitor.accept(buffer);
        }
    }

    private static Box box() {
        return new Box(Device.jvm().allocate(100, MemoryKind.HOST));
    }

    private static void assertFreed(Box box) {
        assertThatIllegalStateException()
                .isThrownBy(() -> box.buffer().address())
                .withMessageContaining("this array's memory of 100 bytes was freed");
    }

    private static void assertLives(Box box) {
        assertThat(box.buffer().address()).isPositive();
    }

    @Test
    void freesWhatWasMadeInIt() {
        Box before = box();
        Box inner;
        Box outer;
        try (Scope scope = Scope.open()) {
            outer = box();
            try (Scope nested = Scope.open()) {
                inner = box();
                assertThat(nested).isNotSameAs(scope);
            }
            assertFreed(inner);
            assertLives(outer);
        }
        assertFreed(outer);
        assertLives(before);
        before.buffer().close();
        before.buffer().close();
        assertFreed(before);
    }

    @Test
    void keepsOneLevelUp() {
        Box kept;
        try (Scope outer = Scope.open()) {
            try (Scope inner = Scope.open()) {
                kept = inner.keep(box());
            }
            assertLives(kept);
            assertThat(outer.keep(kept)).isSameAs(kept);
        }
        assertLives(kept);
        kept.buffer().close();
    }

    @Test
    void keepingWhatAnOuterScopeOwnsChangesNothing() {
        Box outers;
        try (Scope outer = Scope.open()) {
            outers = box();
            try (Scope inner = Scope.open()) {
                inner.keep(outers);
                inner.keep(outers);
            }
            assertLives(outers);
            assertThat(outer).isNotNull();
        }
        assertFreed(outers);
    }

    @Test
    void keepingWhatIsClosedChangesNothing() {
        try (Scope scope = Scope.open()) {
            Box closed = box();
            closed.buffer().close();
            scope.keep(closed);
            assertFreed(closed);
        }
    }

    @Test
    void refusesTheWrongOrder() {
        Scope outer = Scope.open();
        Scope inner = Scope.open();
        Box box = box();
        assertThatIllegalStateException().isThrownBy(outer::close).withMessageContaining("reverse order");
        assertLives(box);
        inner.close();
        outer.close();
        outer.close();
        assertThatIllegalStateException().isThrownBy(() -> outer.keep(box)).withMessageContaining("closed");
    }

    @Test
    void doesNotOwnWhatIsMadeOutsideIt() {
        Box kept;
        Box owned;
        try (Scope scope = Scope.open()) {
            kept = Scope.outside(ScopeTest::box);
            assertThatIllegalStateException()
                    .isThrownBy(() -> Scope.outside(() -> {
                        throw new IllegalStateException("body fails");
                    }));
            owned = box();
            scope.keep(kept);
        }
        assertLives(kept);
        assertFreed(owned);
        kept.buffer().close();
    }

    @Test
    void refusesAnotherThread() {
        try (Scope scope = Scope.open()) {
            Box box = box();
            String owner = Thread.currentThread().getName();
            CompletableFuture.runAsync(() -> {
                        assertThatIllegalStateException()
                                .isThrownBy(scope::close)
                                .withMessageContaining("belongs to the thread that opened it, " + owner);
                        assertThatIllegalStateException().isThrownBy(() -> scope.keep(box));
                    })
                    .join();
            assertLives(box);
        }
    }

    @Test
    void doesNotOwnWhatOtherThreadsMake() {
        Box other;
        try (Scope scope = Scope.open()) {
            other = CompletableFuture.supplyAsync(ScopeTest::box).join();
            scope.keep(other);
        }
        assertLives(other);
        other.buffer().close();
    }

    @Test
    void anyThreadMayCloseAnArrayEarly() throws Exception {
        long before = Device.jvm().memoryUse().buffers();
        for (int round = 0; round < 200; round++) {
            List<Box> boxes = new ArrayList<>();
            List<CompletableFuture<Void>> closing;
            try (Scope outer = Scope.open();
                    Scope scope = Scope.open()) {
                for (int i = 0; i < 50; i++) boxes.add(box());
                CyclicBarrier start = new CyclicBarrier(3);
                List<CompletableFuture<Void>> closers = new ArrayList<>();
                for (int t = 0; t < 2; t++)
                    closers.add(CompletableFuture.runAsync(() -> {
                        await(start);
                        boxes.forEach(box -> box.buffer().close());
                    }));
                await(start);
                for (int i = 0; i < 50; i += 3) scope.keep(boxes.get(i));
                assertThat(outer).isNotNull();
                if (round % 2 == 0) closers.forEach(CompletableFuture::join);
                closing = closers;
            }
            closing.forEach(CompletableFuture::join);
            boxes.forEach(ScopeTest::assertFreed);
        }
        assertThat(Device.jvm().memoryUse().buffers()).isEqualTo(before);
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void slicesShareTheAllocation() {
        Seeded.cases(200, random -> {
            long bytes = random.nextLong(0, 1000);
            try (Buffer whole = Device.jvm().allocate(bytes, MemoryKind.HOST)) {
                long from = random.nextLong(0, bytes + 1);
                long length = random.nextLong(0, bytes - from + 1);
                Buffer slice = whole.slice(from, length);
                assertThat(slice.address()).isEqualTo(whole.address() + from);
                assertThat(slice.bytes()).isEqualTo(length);
                assertThat(slice.offset()).isEqualTo(from);
                assertThat(slice.segment().byteSize()).isEqualTo(length);
                assertThat(slice.allocation()).isSameAs(whole.allocation());
                long inner = random.nextLong(0, length + 1);
                assertThat(slice.slice(inner, length - inner).offset()).isEqualTo(from + inner);
                for (long[] bad : new long[][] {
                    {-1, 1},
                    {0, -1},
                    {0, length + 1},
                    {length + 1, 0},
                    {length, 1},
                    {Long.MAX_VALUE, 2},
                    {1, Long.MAX_VALUE}
                })
                    assertThatThrownBy(() -> slice.slice(bad[0], bad[1]))
                            .isInstanceOf(IndexOutOfBoundsException.class)
                            .hasMessageContaining("does not lie within a buffer of " + length + " bytes");
                slice.close();
                assertThatThrownBy(whole::address).isInstanceOf(IllegalStateException.class);
                assertThatCode(whole::close).doesNotThrowAnyException();
            }
        });
    }
}
