package io.penstock.cli.verify;

/**
 * How far a result may be from the recorded one: {@code max|got - expected| <= rtol max|expected| + atol} over the whole array.
 *
 * @param rtol relative to the largest recorded modulus
 * @param atol absolute
 */
record Tolerance(double rtol, double atol) {
    double bound(Values expected) {
        return rtol * expected.largest() + atol;
    }
}
