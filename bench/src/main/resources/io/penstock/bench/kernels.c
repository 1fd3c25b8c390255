/* The peers of the kernels that Penstock compiles, as a C programmer would write them; -O3 -march=native. */
#include <math.h>

void axpy(float *restrict y, const float *restrict x, long n) {
    for (long i = 0; i < n; i++) y[i] = 1e-9f * x[i] + y[i];
}

void copy(float *restrict y, const float *restrict x, long n) {
    for (long i = 0; i < n; i++) y[i] = x[i];
}

float dot(const float *restrict x, const float *restrict y, long n) {
    float sum = 0;
    for (long i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

void stencil3(float *restrict y, const float *restrict x, long n) {
    for (long i = 1; i < n - 1; i++) y[i] = x[i - 1] - 2 * x[i] + x[i + 1];
}

void stencil7(float *restrict y, const float *restrict x, long m) {
    long p = m * m;
    for (long k = 1; k < m - 1; k++)
        for (long i = 1; i < m - 1; i++)
            for (long j = 1; j < m - 1; j++) {
                const float *c = x + k * p + i * m + j;
                y[k * p + i * m + j] = c[-p] + c[p] + c[-m] + c[m] + c[-1] + c[1] - 6 * c[0];
            }
}

void map5(float *restrict y, const float *restrict a, const float *restrict b, const float *restrict c,
          const float *restrict d, const float *restrict e, long n) {
    for (long i = 0; i < n; i++) y[i] = a[i] * b[i] + c[i] * d[i] - fabsf(e[i]);
}

void mandelbrot(int *restrict out, long m, float scale, int most) {
    for (long i = 0; i < m; i++)
        for (long j = 0; j < m; j++) {
            float cr = j * scale - 2, ci = i * scale - 1, re = 0, im = 0;
            int n = 0;
            while (n < most && re * re + im * im < 4) {
                float next = re * re - im * im + cr;
                im = 2 * re * im + ci;
                re = next;
                n++;
            }
            out[i * m + j] = n;
        }
}
