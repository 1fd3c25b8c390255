package io.penstock.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.array.DType;
import io.penstock.array.NDArray;
import io.penstock.runtime.Device;
import io.penstock.runtime.HostMemory;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** While a piece travels others are copied: a piece whose way takes until that has happened does not take for ever. */
@Timeout(60)
class FerryTest {
    private static final int PIECE = 1000;
    private static final int COUNT = 11;
    private static final long SLOT = 8L * PIECE;
    private static final VarHandle DOUBLE = ValueLayout.JAVA_DOUBLE.varHandle();

    private final Device device = device();
    private final Ferry ferry = new Ferry(new Staged.Staging(), SLOT);
    private final Pieces pieces = new Pieces(PIECE * (COUNT - 1) + 7, PIECE);

    private static Device device() {
        return Device.all().stream()
                .filter(other -> !other.equals(Device.jvm()))
                .findFirst()
                .orElse(Device.jvm());
    }

    @BeforeAll
    static void thereIsADevice() {
        assumeTrue(!device().equals(Device.jvm()), "no device but the JVM; ./penstock test as root installs PoCL");
    }

    private NDArray numbers() {
        return NDArray.arange(pieces.elements()).as(DType.F64);
    }

    private abstract static class Recorded implements Ferry.Passage {
        final List<Long> addresses = new ArrayList<>();
        int ended;

        double at(int piece, long index) {
            return HostMemory.ALL.get(ValueLayout.JAVA_DOUBLE, addresses.get(piece) + 8 * index);
        }

        /** The first element of a piece, also of one that is still to come, in its slot of the ring. */
        double firstOf(int piece) {
            return (double) DOUBLE.getVolatile(HostMemory.ALL, addresses.getFirst() + piece % Ferry.SLOTS * SLOT);
        }
    }

    @Test
    void aPieceIsCopiedWhileTheTwoBeforeItTravel() {
        assertThat(pieces.count()).isEqualTo(COUNT);
        NDArray array = numbers().to(device);
        double[] sent = new double[(int) pieces.elements()];
        ferry.send(array, pieces, new Recorded() {
            @Override
            public void begin(long address, long count) {
                int piece = addresses.size();
                addresses.add(address);
                assertThat(count).isEqualTo(pieces.size(piece));
                for (int i = 0; i < count; i++) sent[piece * PIECE + i] = at(piece, i);
            }

            @Override
            public void end() {
                int later = ended++ + 2;
                while (later < COUNT && firstOf(later) != later * (double) PIECE) Thread.onSpinWait();
            }
        });
        assertThat(sent).isEqualTo(numbers().toDoubles());
    }

    @Test
    void aPieceIsPutInItsPlaceWhileTheNextOneTravels() {
        NDArray array = NDArray.full(-1, DType.F64, pieces.elements()).to(device);
        ferry.receive(array, pieces, new Recorded() {
            @Override
            public void begin(long address, long count) {
                int piece = addresses.size();
                addresses.add(address);
                for (int i = 0; i < count; i++)
                    HostMemory.ALL.set(ValueLayout.JAVA_DOUBLE, address + 8L * i, piece * (double) PIECE + i);
            }

            @Override
            public void end() {
                int before = ended++ - 1;
                if (before < 0) return;
                NDArray there = array.slice(0, pieces.from(before), pieces.from(before) + pieces.size(before));
                assertThat(there.get(0)).isEqualTo(before * (double) PIECE);
            }
        });
        assertThat(array.toDoubles()).isEqualTo(numbers().toDoubles());
    }
}
