// The kernels of `penstock bench gpu` in straightforward CUDA C++: one element per thread, tiles in shared memory.
// Prints for each case its name, a tabulator and the median time in seconds.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                         \
    do {                                                                                    \
        cudaError_t code = (call);                                                          \
        if (code != cudaSuccess) {                                                          \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(code));              \
            std::exit(1);                                                                   \
        }                                                                                   \
    } while (0)

constexpr int TILE = 32, ROWS = 8, ITEMS = 256, GROUPS = 1024;

__global__ void fill(float* out, long n) {
    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (i < n) out[i] = (float)(i * 7919 % 10007) / 10007 - 0.5f;
}

__global__ void copy(float* __restrict__ to, const float* __restrict__ from, long n) {
    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i];
}

__global__ void triad(float* __restrict__ a, const float* __restrict__ b, const float* __restrict__ c, float factor, long n) {
    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (i < n) a[i] = b[i] + factor * c[i];
}

__global__ void stencil(float* __restrict__ out, const float* __restrict__ in, int n) {
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    int i = blockIdx.z;
    if (i == 0 || j == 0 || k == 0 || i >= n - 1 || j >= n - 1 || k >= n - 1) return;
    long p = ((long)i * n + j) * n + k, row = n, plane = (long)n * n;
    out[p] = in[p - plane] + in[p + plane] + in[p - row] + in[p + row] + in[p - 1] + in[p + 1] - 6 * in[p];
}

// The sum of second derivatives, each zero at both ends of its axis.
__global__ void laplacian(float* __restrict__ out, const float* __restrict__ in, int n) {
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    int i = blockIdx.z;
    if (k >= n || j >= n) return;
    long p = ((long)i * n + j) * n + k, row = n, plane = (long)n * n;
    float here = in[p], sum = 0;
    if (i > 0 && i < n - 1) sum += in[p - plane] - 2 * here + in[p + plane];
    if (j > 0 && j < n - 1) sum += in[p - row] - 2 * here + in[p + row];
    if (k > 0 && k < n - 1) sum += in[p - 1] - 2 * here + in[p + 1];
    out[p] = sum;
}

__global__ void map(float* __restrict__ out, const float* __restrict__ a, const float* __restrict__ b,
                    const float* __restrict__ c, const float* __restrict__ d, const float* __restrict__ e, long n) {
    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (i < n) out[i] = (a[i] + b[i]) * c[i] - d[i] * e[i];
}

__global__ void sum(float* __restrict__ sums, const float* __restrict__ in, long n) {
    __shared__ float tree[ITEMS];
    float own = 0;
    long step = gridDim.x * (long)ITEMS;
    for (long k = blockIdx.x * (long)ITEMS + threadIdx.x; k < n; k += step) own += in[k];
    int i = threadIdx.x;
    tree[i] = own;
    __syncthreads();
    for (int half = ITEMS / 2; half > 0; half /= 2) {
        if (i < half) tree[i] += tree[i + half];
        __syncthreads();
    }
    if (i == 0) sums[blockIdx.x] = tree[0];
}

__global__ void transpose(float* __restrict__ out, const float* __restrict__ in, int n) {
    __shared__ float tile[TILE][TILE + 1];
    int i = threadIdx.y, j = threadIdx.x, top = blockIdx.y * TILE, left = blockIdx.x * TILE;
    for (int k = 0; k < TILE; k += ROWS) tile[i + k][j] = in[(long)(top + i + k) * n + left + j];
    __syncthreads();
    for (int k = 0; k < TILE; k += ROWS) out[(long)(left + i + k) * n + top + j] = tile[j][i + k];
}

__global__ void product(float* __restrict__ c, const float* __restrict__ a, const float* __restrict__ b, int n) {
    __shared__ float left[TILE][TILE], right[TILE][TILE];
    int i = threadIdx.y, j = threadIdx.x, row = blockIdx.y * TILE + i, column = blockIdx.x * TILE + j;
    float total = 0;
    for (int tile = 0; tile < n; tile += TILE) {
        left[i][j] = a[(long)row * n + tile + j];
        right[i][j] = b[(long)(tile + i) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++) total += left[i][k] * right[k][j];
        __syncthreads();
    }
    c[(long)row * n + column] = total;
}

static int rounds;
static cudaStream_t stream;

static unsigned blocks(long n) { return (unsigned)((n + ITEMS - 1) / ITEMS); }

struct Array {
    float* data;
    explicit Array(long n, bool filled) {
        CHECK(cudaMalloc(&data, n * sizeof(float)));
        if (filled) fill<<<blocks(n), ITEMS, 0, stream>>>(data, n);
        else CHECK(cudaMemsetAsync(data, 0, n * sizeof(float), stream));
        CHECK(cudaGetLastError());
    }
    Array(const Array&) = delete;
    ~Array() { CHECK(cudaFree(data)); }
};

template <typename F>
static double seconds(F run, int runs) {
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaEventRecord(begin, stream));
    for (int k = 0; k < runs; k++) run();
    CHECK(cudaEventRecord(end, stream));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaGetLastError());
    float milliseconds;
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
    return milliseconds * 1e-3;
}

template <typename F>
static void measure(const char* name, F run) {
    for (int k = 0; k < 3; k++) run();
    CHECK(cudaStreamSynchronize(stream));
    int runs = (int)std::clamp(0.02 / std::max(1e-9, seconds(run, 1)), 1.0, 200.0);
    std::vector<double> all;
    for (int k = 0; k < rounds; k++) all.push_back(seconds(run, runs) / runs);
    std::sort(all.begin(), all.end());
    std::printf("%s\t%.9g\n", name, all[all.size() / 2]);
    std::fflush(stdout);
}

int main(int count, char** arguments) {
    if (count != 7) {
        std::fprintf(stderr, "usage: %s COPY TRIAD CUBE TRANSPOSE PRODUCT ROUNDS\n", arguments[0]);
        return 2;
    }
    long copied = std::atol(arguments[1]), triads = std::atol(arguments[2]);
    int cube = std::atoi(arguments[3]), edge = std::atoi(arguments[4]), matrix = std::atoi(arguments[5]);
    rounds = std::atoi(arguments[6]);
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    {
        Array from(copied, true), to(copied, false);
        measure("copy engine", [&] {
            CHECK(cudaMemcpyAsync(to.data, from.data, copied * sizeof(float), cudaMemcpyDeviceToDevice, stream));
        });
        measure("copy", [&] { copy<<<blocks(copied), ITEMS, 0, stream>>>(to.data, from.data, copied); });
    }
    {
        Array a(triads, false), b(triads, true), c(triads, true);
        measure("triad", [&] { triad<<<blocks(triads), ITEMS, 0, stream>>>(a.data, b.data, c.data, 0.25f, triads); });
    }
    {
        long n = (long)cube * cube * cube;
        Array out(n, false), in(n, true);
        dim3 threads(64, 4, 1), groups((cube + 63) / 64, (cube + 3) / 4, cube);
        measure("7-point stencil", [&] { stencil<<<groups, threads, 0, stream>>>(out.data, in.data, cube); });
        measure("Laplacian operator", [&] { laplacian<<<groups, threads, 0, stream>>>(out.data, in.data, cube); });
    }
    {
        Array out(triads, false), a(triads, true), b(triads, true), c(triads, true), d(triads, true), e(triads, true);
        measure("5-way fused map", [&] {
            map<<<blocks(triads), ITEMS, 0, stream>>>(out.data, a.data, b.data, c.data, d.data, e.data, triads);
        });
    }
    {
        Array in(copied, true), sums(GROUPS, false), out(1, false);
        measure("sum", [&] {
            sum<<<GROUPS, ITEMS, 0, stream>>>(sums.data, in.data, copied);
            sum<<<1, ITEMS, 0, stream>>>(out.data, sums.data, GROUPS);
        });
    }
    {
        long n = (long)edge * edge;
        Array out(n, false), in(n, true);
        dim3 threads(TILE, ROWS), groups(edge / TILE, edge / TILE);
        measure("tiled transpose", [&] { transpose<<<groups, threads, 0, stream>>>(out.data, in.data, edge); });
    }
    {
        long n = (long)matrix * matrix;
        Array c(n, false), a(n, true), b(n, true);
        dim3 threads(TILE, TILE), groups(matrix / TILE, matrix / TILE);
        measure("tiled product", [&] { product<<<groups, threads, 0, stream>>>(c.data, a.data, b.data, matrix); });
    }
    return 0;
}
