package io.penstock.kernel.c;

/** The languages that kernels are written out in, where they differ. */
public enum Dialect {
    /** CUDA C++ for NVRTC or nvcc, with the default precise division and square root. */
    CUDA("""
            typedef int i32; typedef unsigned int u32; typedef long long i64; typedef unsigned long long u64;
            #define GLOBAL
            #define LOCAL
            #define RESTRICT __restrict__
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
            #define BARRIER __syncthreads()
            #define THREAD(d) ((i32) threadIdx.d)
            #define GROUP(d) ((i32) blockIdx.d)
            #define THREADS(d) ((i32) blockDim.d)
            #define GROUPS(d) ((i64) gridDim.d)
            """, """
            #define add32(p, v) atomicAdd(p, v)
            #define min32(p, v) atomicMin(p, v)
            #define max32(p, v) atomicMax(p, v)
            #define and32(p, v) atomicAnd(p, v)
            #define or32(p, v) atomicOr(p, v)
            #define xor32(p, v) atomicXor(p, v)
            #define exchange32(p, v) atomicExch(p, v)
            #define compare32(p, old, now) atomicCAS(p, old, now)
            #define add64(p, v) ((i64) atomicAdd((u64 *) (p), (u64) (v)))
            #define min64(p, v) atomicMin(p, v)
            #define max64(p, v) atomicMax(p, v)
            #define and64(p, v) ((i64) atomicAnd((u64 *) (p), (u64) (v)))
            #define or64(p, v) ((i64) atomicOr((u64 *) (p), (u64) (v)))
            #define xor64(p, v) ((i64) atomicXor((u64 *) (p), (u64) (v)))
            #define exchange64(p, v) ((i64) atomicExch((u64 *) (p), (u64) (v)))
            #define compare64(p, old, now) ((i64) atomicCAS((u64 *) (p), (u64) (old), (u64) (now)))
            #define addGlobalF(p, v) atomicAdd(p, v)
            #define addGlobalD(p, v) atomicAdd(p, v)
            #define addLocalF(p, v) atomicAdd(p, v)
            #define addLocalD(p, v) atomicAdd(p, v)
            """, "extern \"C\" __global__ void"),
    /** OpenCL C 1.2; build with {@code -cl-fp32-correctly-rounded-divide-sqrt} where single-precision numbers are divided. */
    OPENCL("""
            #pragma OPENCL EXTENSION cl_khr_fp64 : enable
            #pragma OPENCL FP_CONTRACT OFF
            typedef int i32; typedef uint u32; typedef long i64; typedef ulong u64;
            #define GLOBAL __global
            #define LOCAL __local
            #define RESTRICT restrict
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
            #define BARRIER barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
            #define AXIS_x 0
            #define AXIS_y 1
            #define AXIS_z 2
            #define THREAD(d) ((i32) get_local_id(AXIS_##d))
            #define GROUP(d) ((i32) get_group_id(AXIS_##d))
            #define THREADS(d) ((i32) get_local_size(AXIS_##d))
            #define GROUPS(d) ((i64) get_num_groups(AXIS_##d))
            """, """
            #pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
            #pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
            #define add32(p, v) atomic_add(p, v)
            #define min32(p, v) atomic_min(p, v)
            #define max32(p, v) atomic_max(p, v)
            #define and32(p, v) atomic_and(p, v)
            #define or32(p, v) atomic_or(p, v)
            #define xor32(p, v) atomic_xor(p, v)
            #define exchange32(p, v) atomic_xchg(p, v)
            #define compare32(p, old, now) atomic_cmpxchg(p, old, now)
            #define add64(p, v) atom_add(p, v)
            #define min64(p, v) atom_min(p, v)
            #define max64(p, v) atom_max(p, v)
            #define and64(p, v) atom_and(p, v)
            #define or64(p, v) atom_or(p, v)
            #define xor64(p, v) atom_xor(p, v)
            #define exchange64(p, v) atom_xchg(p, v)
            #define compare64(p, old, now) atom_cmpxchg(p, old, now)
            CHANGE(GLOBAL, addGlobalF, float, i32, F2BITS, BITS2F, compare32, was + v)
            CHANGE(GLOBAL, addGlobalD, double, i64, D2BITS, BITS2D, compare64, was + v)
            CHANGE(LOCAL, addLocalF, float, i32, F2BITS, BITS2F, compare32, was + v)
            CHANGE(LOCAL, addLocalD, double, i64, D2BITS, BITS2D, compare64, was + v)
            """, "__kernel void");

    private final String prelude;
    private final String atomics;
    private final String entry;

    Dialect(String prelude, String atomics, String entry) {
        this.prelude = prelude;
        this.atomics = atomics;
        this.entry = entry;
    }

    String prelude() {
        return prelude;
    }

    /** The definitions of atomic changes. */
    String atomics() {
        return atomics;
    }

    String entry() {
        return entry;
    }
}
