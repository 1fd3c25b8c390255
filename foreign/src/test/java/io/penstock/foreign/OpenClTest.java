package io.penstock.foreign;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class OpenClTest {
    @Test
    void errorsHaveTheNamesOfTheHeader() {
        assertThat(OpenCl.errorName(0)).isEqualTo("CL_SUCCESS");
        assertThat(OpenCl.errorName(-4)).isEqualTo("CL_MEM_OBJECT_ALLOCATION_FAILURE");
        assertThat(OpenCl.errorName(-61)).isEqualTo("CL_INVALID_BUFFER_SIZE");
        assertThat(OpenCl.errorName(-72)).isEqualTo("CL_MAX_SIZE_RESTRICTION_EXCEEDED");
        assertThat(OpenCl.errorName(-9999)).isEqualTo("OpenCL error -9999");
    }

    private static OpenCl load() {
        try {
            return OpenCl.load();
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageContaining("libOpenCL");
            assumeTrue(false, "no OpenCL here: " + e.getMessage());
            throw e;
        }
    }

    @Test
    void theLoaderIsAskedForPlatforms() {
        OpenCl cl = load();
        assertThat(cl.has("clGetPlatformIDs")).isTrue();
        assertThat(cl.has("clGetNothing")).isFalse();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment count = arena.allocate(JAVA_INT);
            int error = cl.getPlatformIDs(0, 0, count.address());
            if (error != OpenCl.CL_PLATFORM_NOT_FOUND_KHR) {
                assertThat(error).isZero();
                assertThat(count.get(JAVA_INT, 0)).isPositive();
            }
            assertThat(cl.getPlatformIDs(0, 0, 0)).isEqualTo(-30);
        }
    }
}
