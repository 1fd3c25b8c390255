"""The cases of `penstock bench gpu` in CuPy, as one would write them. Prints name, tabulator, median seconds."""
import statistics
import sys

import cupy

copied, triads, cube, edge, matrix, rounds = (int(a) for a in sys.argv[1:7])


def seconds(run, runs):
    begin, end = cupy.cuda.Event(), cupy.cuda.Event()
    begin.record()
    for _ in range(runs):
        run()
    end.record()
    end.synchronize()
    return cupy.cuda.get_elapsed_time(begin, end) * 1e-3


def measure(name, run):
    for _ in range(3):
        run()
    cupy.cuda.Device().synchronize()
    runs = int(min(200, max(1, 0.02 / max(1e-9, seconds(run, 1)))))
    print(name, statistics.median(seconds(run, runs) / runs for _ in range(rounds)), sep="\t", flush=True)
    cupy.get_default_memory_pool().free_all_blocks()


def filled(*shape):
    return cupy.random.random(shape, dtype=cupy.float32) - 0.5


def copies():
    source, target = filled(copied), cupy.empty(copied, cupy.float32)
    measure("copy", lambda: cupy.copyto(target, source))


def triad():
    a, b, c = cupy.empty(triads, cupy.float32), filled(triads), filled(triads)
    kernel = cupy.ElementwiseKernel("T b, T c, T factor", "T a", "a = b + factor * c", "triad")
    measure("triad", lambda: kernel(b, c, cupy.float32(0.25), a))


def stencil():
    source, out = filled(cube, cube, cube), cupy.zeros((cube, cube, cube), cupy.float32)

    @cupy.fuse()
    def sum7(a, b, c, d, e, f, g):
        return a + b + c + d + e + f - 6 * g

    m = slice(1, -1)
    lo, hi = slice(None, -2), slice(2, None)

    def run():
        out[m, m, m] = sum7(source[lo, m, m], source[hi, m, m], source[m, lo, m], source[m, hi, m],
                            source[m, m, lo], source[m, m, hi], source[m, m, m])

    measure("7-point stencil", run)


def fused():
    out = cupy.empty(triads, cupy.float32)
    a, b, c, d, e = (filled(triads) for _ in range(5))
    kernel = cupy.ElementwiseKernel("T a, T b, T c, T d, T e", "T out", "out = (a + b) * c - d * e", "fused")
    measure("5-way fused map", lambda: kernel(a, b, c, d, e, out))


def total():
    source, out = filled(copied), cupy.empty((), cupy.float32)
    measure("sum", lambda: cupy.sum(source, out=out))


def transposed():
    source, out = filled(edge, edge), cupy.empty((edge, edge), cupy.float32)
    measure("tiled transpose", lambda: cupy.copyto(out, source.T))


def product():
    a, b, c = filled(matrix, matrix), filled(matrix, matrix), cupy.empty((matrix, matrix), cupy.float32)
    measure("tiled product", lambda: cupy.matmul(a, b, out=c))  # cuBLAS, which does more than tile


for case in (copies, triad, stencil, fused, total, transposed, product):
    case()
    cupy.get_default_memory_pool().free_all_blocks()
