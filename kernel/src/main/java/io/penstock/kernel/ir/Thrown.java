package io.penstock.kernel.ir;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An exception that a kernel throws.
 *
 * @param exception the name of its class, such as {@code java.lang.ArithmeticException}
 * @param message its message, if it has one; with at most {@value #MOST_NUMBERS} numbers
 */
public record Thrown(String exception, @Nullable Text message) {
    /** How many numbers a message can hold: as many as an access has indices. */
    public static final int MOST_NUMBERS = 3;

    /** As {@code Throwable.toString} has it, with the numbers of the message. */
    public String with(List<?> numbers) {
        return message == null ? exception : exception + ": " + message.with(numbers);
    }
}
