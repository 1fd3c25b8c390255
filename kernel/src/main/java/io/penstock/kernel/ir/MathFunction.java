package io.penstock.kernel.ir;

/**
 * A function of {@code Math} or {@code StrictMath} on doubles that devices compute in their own way.
 *
 * @param strict whether it is {@code StrictMath}'s
 * @param name the method's name, such as {@code sin}
 * @param arguments how many doubles it takes
 */
public record MathFunction(boolean strict, String name, int arguments) {
    @Override
    public String toString() {
        return (strict ? "StrictMath." : "Math.") + name;
    }
}
