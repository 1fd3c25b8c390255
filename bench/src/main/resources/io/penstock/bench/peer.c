/* The peer that Penstock's dense loops are measured against, compiled on the spot with -O3 -march=native -ffast-math -fopenmp. */
#include <string.h>


#define BLAS(T, S)                                                                                       \
    void axpy_##S(T a, const T *restrict x, T *restrict y, long n, int threads) {                        \
        if (threads > 1) {                                                                               \
            _Pragma("omp parallel for simd num_threads(threads) schedule(static)")                       \
            for (long i = 0; i < n; i++) y[i] += a * x[i];                                               \
        } else {                                                                                         \
            _Pragma("omp simd") for (long i = 0; i < n; i++) y[i] += a * x[i];                           \
        }                                                                                                \
    }                                                                                                    \
    void scale_##S(T a, const T *restrict x, T *restrict y, long n, int threads) {                       \
        if (threads > 1) {                                                                               \
            _Pragma("omp parallel for simd num_threads(threads) schedule(static)")                       \
            for (long i = 0; i < n; i++) y[i] = a * y[i];                                                \
        } else {                                                                                         \
            _Pragma("omp simd") for (long i = 0; i < n; i++) y[i] = a * y[i];                            \
        }                                                                                                \
    }                                                                                                    \
    void copy_##S(T a, const T *restrict x, T *restrict y, long n, int threads) {                        \
        if (threads > 1) {                                                                               \
            _Pragma("omp parallel num_threads(2)") {                                                     \
                long half = n / 2;                                                                       \
                _Pragma("omp sections") {                                                                \
                    _Pragma("omp section") memcpy(y, x, half * sizeof(T));                               \
                    _Pragma("omp section") memcpy(y + half, x + half, (n - half) * sizeof(T));           \
                }                                                                                        \
            }                                                                                            \
        } else {                                                                                         \
            memcpy(y, x, n * sizeof(T));                                                                 \
        }                                                                                                \
    }                                                                                                    \
    double dot_##S(const T *restrict x, const T *restrict y, long n, int threads) {                      \
        T sum = 0;                                                                                       \
        if (threads > 1) {                                                                               \
            _Pragma("omp parallel for simd num_threads(threads) schedule(static) reduction(+ : sum)")    \
            for (long i = 0; i < n; i++) sum += x[i] * y[i];                                             \
        } else {                                                                                         \
            _Pragma("omp simd reduction(+ : sum)") for (long i = 0; i < n; i++) sum += x[i] * y[i];      \
        }                                                                                                \
        return sum;                                                                                      \
    }                                                                                                    \
    void stencil_##S(T a, const T *restrict x, T *restrict y, long n, int threads) {                     \
        y[0] = y[n - 1] = 0;                                                                             \
        if (threads > 1) {                                                                               \
            _Pragma("omp parallel for simd num_threads(threads) schedule(static)")                       \
            for (long i = 1; i < n - 1; i++) y[i] = a * (x[i - 1] - 2 * x[i] + x[i + 1]);                \
        } else {                                                                                         \
            _Pragma("omp simd")                                                                          \
            for (long i = 1; i < n - 1; i++) y[i] = a * (x[i - 1] - 2 * x[i] + x[i + 1]);                \
        }                                                                                                \
    }                                                                                                    \
    void laplacian_##S(T a, const T *restrict x, T *restrict y, long m, int threads) {                   \
        long p = m * m;                                                                                  \
        _Pragma("omp parallel for num_threads(threads) schedule(static) if (threads > 1)")               \
        for (long i = 0; i < m; i++)                                                                     \
            for (long j = 0; j < m; j++) {                                                               \
                const T *restrict r = x + i * p + j * m;                                                 \
                T *restrict o = y + i * p + j * m;                                                       \
                if (i == 0 || j == 0 || i == m - 1 || j == m - 1) {                                      \
                    memset(o, 0, m * sizeof(T));                                                         \
                    continue;                                                                            \
                }                                                                                        \
                o[0] = o[m - 1] = 0;                                                                     \
                _Pragma("omp simd") for (long k = 1; k < m - 1; k++)                                     \
                    o[k] = a * (r[k - 1] + r[k + 1] + r[k - m] + r[k + m] + r[k - p] + r[k + p] - 6 * r[k]); \
            }                                                                                            \
    }

BLAS(float, f32)
BLAS(double, f64)
