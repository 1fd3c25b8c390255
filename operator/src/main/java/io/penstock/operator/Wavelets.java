package io.penstock.operator;

/**
 * Seismic wavelets, as samples at equal distances in time that lie symmetrically about the wavelet's centre, the middle sample.
 */
public final class Wavelets {
    private Wavelets() {}

    /**
     * The Ricker wavelet {@code (1 - 2 a) exp(-a)} with {@code a = (pi f t)^2}, the second derivative of a Gaussian, scaled to 1 at
     * its centre (N. Ricker, The form and laws of propagation of seismic wavelets, Geophysics 18, 1953).
     *
     * @param peakFrequency the frequency {@code f} of the largest amplitude, in Hz, positive
     * @param sampling the time between samples, in s, positive
     * @param samples how many samples, an odd number
     */
    public static double[] ricker(double peakFrequency, double sampling, int samples) {
        requirePositive("peakFrequency", peakFrequency);
        double[] times = times(sampling, samples);
        double[] wavelet = new double[samples];
        for (int i = 0; i < samples; i++) {
            double root = Math.PI * peakFrequency * times[i];
            double a = root * root;
            wavelet[i] = (1 - 2 * a) * Math.exp(-a);
        }
        return wavelet;
    }

    /**
     * The Ormsby wavelet, whose amplitude spectrum is a trapezium: it rises from {@code f1} to {@code f2}, is flat up to
     * {@code f3} and falls to {@code f4}; scaled to a largest value of 1 (H. Ryan, Ricker, Ormsby, Klauder, Butterworth: a choice of
     * wavelets, CSEG Recorder 19, 1994).
     *
     * @param f1 where the spectrum begins, in Hz, not negative; the others follow in ascending order
     * @param sampling the time between samples, in s, positive
     * @param samples how many samples, an odd number
     */
    public static double[] ormsby(double f1, double f2, double f3, double f4, double sampling, int samples) {
        if (!(f1 >= 0 && f1 < f2 && f2 <= f3 && f3 < f4 && f4 < Double.POSITIVE_INFINITY))
            throw new IllegalArgumentException("the frequencies are " + f1 + ", " + f2 + ", " + f3 + " and " + f4
                    + "; expected 0 <= f1 < f2 <= f3 < f4");
        double[] times = times(sampling, samples);
        double[] wavelet = new double[samples];
        double largest = 0;
        for (int i = 0; i < samples; i++) {
            double t = times[i];
            wavelet[i] = (ramp(f4, t) - ramp(f3, t)) / (f4 - f3) - (ramp(f2, t) - ramp(f1, t)) / (f2 - f1);
            largest = Math.max(largest, wavelet[i]);
        }
        for (int i = 0; i < samples; i++) wavelet[i] /= largest;
        return wavelet;
    }

    /** {@code pi f^2 sinc(f t)^2}. */
    private static double ramp(double f, double t) {
        double angle = Math.PI * f * t;
        double sinc = angle == 0 ? 1 : Math.sin(angle) / angle;
        return Math.PI * f * f * sinc * sinc;
    }

    private static double[] times(double sampling, int samples) {
        requirePositive("sampling", sampling);
        if (samples < 1 || samples % 2 == 0)
            throw new IllegalArgumentException("samples is " + samples + "; expected an odd number, 1 or more");
        double[] times = new double[samples];
        for (int i = 0; i < samples; i++) times[i] = (i - samples / 2) * sampling;
        return times;
    }

    private static void requirePositive(String name, double value) {
        if (!(value > 0 && value < Double.POSITIVE_INFINITY))
            throw new IllegalArgumentException(name + " is " + value + "; expected a positive number");
    }
}
