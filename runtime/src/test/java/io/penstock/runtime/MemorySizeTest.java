package io.penstock.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MemorySizeTest {
    @ParameterizedTest
    @CsvSource({
        "1,1",
        "1048576,1048576",
        "64k,65536",
        "8g,8589934592",
        "8G,8589934592",
        "' 2m ',2097152",
        "1t,1099511627776"
    })
    void reads(String text, long bytes) {
        assertThat(MemorySize.parse("limit", text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "g", "0", "-1", "8gb", "1.5g", "9999999999g", "1e9", "8 g x"})
    void refuses(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MemorySize.parse("limit", text))
                .withMessage(
                        "limit is '" + text + "'; expected a positive number of bytes, such as 1048576, 512m or 8g");
    }

    @Test
    void describes() {
        assertThat(MemorySize.describe(0)).isEqualTo("0 bytes");
        assertThat(MemorySize.describe(1 << 20)).isEqualTo("1.0 MiB");
        assertThat(MemorySize.describe(3L << 29)).isEqualTo("1.5 GiB");
    }
}
