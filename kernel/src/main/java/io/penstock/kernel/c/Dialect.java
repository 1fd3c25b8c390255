package io.penstock.kernel.c;

/** The languages that kernels are written out in, where they differ. */
public enum Dialect {
    /** CUDA C++ for NVRTC or nvcc, with the default precise division and square root. */
    CUDA("""
            typedef int i32; typedef unsigned int u32; typedef long long i64; typedef unsigned long long u64;
            #define GLOBAL
            #define INLINE static __device__ __forceinline__
            #define CAS(p, old, now) atomicCAS(p, old, now)
            #define F2BITS(v) __float_as_int(v)
            #define BITS2F(v) __int_as_float(v)
            #define D2BITS(v) __double_as_longlong(v)
            #define BITS2D(v) __longlong_as_double(v)
            #define FMUL(a, b) __fmul_rn(a, b)
            #define DMUL(a, b) __dmul_rn(a, b)
            #define FSQRT(v) sqrtf(v)
            #define FREM(a, b) fmodf(a, b)
            #define FFMA(a, b, c) fmaf(a, b, c)
            """, "extern \"C\" __global__ void", """
                for (i64 z = blockIdx.z; z < sizes.z; z += gridDim.z)
                for (i64 y = blockIdx.y; y < sizes.y; y += gridDim.y)
                for (i64 x = blockIdx.x * (i64) blockDim.x + threadIdx.x; x < sizes.x; x += gridDim.x * (i64) blockDim.x)
            """),
    /** OpenCL C 1.2; build with {@code -cl-fp32-correctly-rounded-divide-sqrt} where single-precision numbers are divided. */
    OPENCL("""
            #pragma OPENCL EXTENSION cl_khr_fp64 : enable
            #pragma OPENCL FP_CONTRACT OFF
            typedef int i32; typedef uint u32; typedef long i64; typedef ulong u64;
            #define GLOBAL __global
            #define INLINE static inline
            #define CAS(p, old, now) atomic_cmpxchg(p, old, now)
            #define F2BITS(v) as_int(v)
            #define BITS2F(v) as_float(v)
            #define D2BITS(v) as_long(v)
            #define BITS2D(v) as_double(v)
            #define FMUL(a, b) ((a) * (b))
            #define DMUL(a, b) ((a) * (b))
            #define FSQRT(v) sqrt(v)
            #define FREM(a, b) fmod(a, b)
            #define FFMA(a, b, c) fma(a, b, c)
            """, "__kernel void", """
                for (i64 z = get_global_id(2); z < sizes.z; z += get_global_size(2))
                for (i64 y = get_global_id(1); y < sizes.y; y += get_global_size(1))
                for (i64 x = get_global_id(0); x < sizes.x; x += get_global_size(0))
            """);

    private final String prelude;
    private final String entry;
    private final String loops;

    Dialect(String prelude, String entry, String loops) {
        this.prelude = prelude;
        this.entry = entry;
        this.loops = loops;
    }

    String prelude() {
        return prelude;
    }

    String entry() {
        return entry;
    }

    String loops() {
        return loops;
    }
}
