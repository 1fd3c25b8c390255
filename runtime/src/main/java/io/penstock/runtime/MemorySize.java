package io.penstock.runtime;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Amounts of memory as people write them. */
public final class MemorySize {
    private static final String UNITS = "kmgt";

    private MemorySize() {}

    /**
     * Reads a whole number of bytes with an optional unit, such as {@code 8g}, {@code 512M} or {@code 1048576}.
     *
     * @param name what the text is the value of, for the error
     * @throws IllegalArgumentException when it is none, naming it
     */
    public static long parse(String name, String text) {
        String trimmed = text.strip().toLowerCase(Locale.ROOT);
        int unit = trimmed.isEmpty() ? -1 : UNITS.indexOf(trimmed.charAt(trimmed.length() - 1));
        String digits = unit < 0 ? trimmed : trimmed.substring(0, trimmed.length() - 1);
        try {
            long bytes = Math.multiplyExact(Long.parseLong(digits), 1L << (10 * (unit + 1)));
            if (bytes > 0) return bytes;
        } catch (ArithmeticException | NumberFormatException e) {
            throw refused(name, text, e);
        }
        throw refused(name, text, null);
    }

    private static IllegalArgumentException refused(String name, String text, @Nullable Exception cause) {
        return new IllegalArgumentException(
                name + " is '" + text + "'; expected a positive number of bytes, such as 1048576, 512m or 8g", cause);
    }

    /** An amount with a unit, such as {@code 1.5 GiB}. */
    public static String describe(long bytes) {
        if (bytes < 1 << 20) return bytes + " bytes";
        double mebibytes = bytes / (double) (1 << 20);
        return mebibytes < 1024
                ? String.format(Locale.ROOT, "%.1f MiB", mebibytes)
                : String.format(Locale.ROOT, "%.1f GiB", mebibytes / 1024);
    }
}
