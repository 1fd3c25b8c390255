package io.penstock.cli.verify;

import io.penstock.array.Complex;
import io.penstock.array.NDArray;
import java.util.List;

/** The elements of an array in row-major order, in double precision. */
final class Values {
    private final double[] re;
    private final double[] im;

    private Values(double[] re, double[] im) {
        this.re = re;
        this.im = im;
    }

    static Values of(NDArray array) {
        int size = Math.toIntExact(array.size());
        if (!array.dtype().isComplex()) return new Values(array.toDoubles(), new double[size]);
        double[] re = new double[size];
        double[] im = new double[size];
        NDArray flat = array.copy().reshape(size);
        for (int i = 0; i < size; i++) {
            Complex value = flat.getComplex(i);
            re[i] = value.re();
            im[i] = value.im();
        }
        return new Values(re, im);
    }

    static Values of(double... numbers) {
        return new Values(numbers, new double[numbers.length]);
    }

    static Values of(double[] re, double[] im) {
        return new Values(re, im);
    }

    static Values of(List<Double> numbers) {
        return of(numbers.stream().mapToDouble(Double::doubleValue).toArray());
    }

    static Values of(Complex number) {
        return new Values(new double[] {number.re()}, new double[] {number.im()});
    }

    static Values concatenated(List<Values> parts) {
        int size = parts.stream().mapToInt(Values::size).sum();
        double[] re = new double[size];
        double[] im = new double[size];
        int at = 0;
        for (Values part : parts) {
            System.arraycopy(part.re, 0, re, at, part.size());
            System.arraycopy(part.im, 0, im, at, part.size());
            at += part.size();
        }
        return new Values(re, im);
    }

    int size() {
        return re.length;
    }

    /** The largest modulus; 0 where there are no elements. */
    double largest() {
        double largest = 0;
        for (int i = 0; i < re.length; i++) largest = Math.max(largest, Math.hypot(re[i], im[i]));
        return largest;
    }

    /** The largest modulus of a difference between elements; NaN where one is NaN. */
    double distance(Values other) {
        double largest = 0;
        for (int i = 0; i < re.length; i++)
            largest = Math.max(largest, Math.hypot(re[i] - other.re[i], im[i] - other.im[i]));
        return largest;
    }
}
