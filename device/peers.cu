// What CUDA C++ does with the same device, for the benchmarks of Penstock to be held against: the copy engine, copy kernels, the
// cost of launches, and one copy on several devices with events placed by hand. Prints a name, the median and the 95th percentile.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#define CHECK(call)                                                                                 \
    do {                                                                                            \
        cudaError_t e = (call);                                                                     \
        if (e != cudaSuccess) {                                                                     \
            std::fprintf(stderr, "%s: %s (line %d)\n", #call, cudaGetErrorString(e), __LINE__);     \
            std::exit(1);                                                                           \
        }                                                                                           \
    } while (0)

__global__ void plain(float *__restrict__ to, const float *__restrict__ from, long n) {
    long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i];
}

__global__ void strided(float *__restrict__ to, const float *__restrict__ from, long n) {
    long i = (long)blockIdx.x * blockDim.x * 4 + threadIdx.x;
    float v[4];
#pragma unroll
    for (int k = 0; k < 4; k++) if (i + k * blockDim.x < n) v[k] = from[i + k * blockDim.x];
#pragma unroll
    for (int k = 0; k < 4; k++) if (i + k * blockDim.x < n) to[i + k * blockDim.x] = v[k];
}

__global__ void add(float *z, const float *x, const float *y, long n) {
    long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = x[i] + y[i];
}

static double now() {
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Runs a body that ends with all work over, and prints its times.
template <class Body> void measure(const char *name, int runs, double scale, const char *unit, Body body) {
    body();
    std::vector<double> times;
    for (int k = 0; k < runs; k++) {
        double begin = now();
        body();
        times.push_back((now() - begin) * scale);
    }
    std::sort(times.begin(), times.end());
    std::printf("%-44s %10.4f %10.4f %s\n", name, times[runs / 2], times[runs * 95 / 100], unit);
    std::fflush(stdout);
}

static unsigned groups(long n, int each) { return (unsigned)((n + 256L * each - 1) / (256L * each)); }

static void copies(long n) {
    float *a, *b;
    CHECK(cudaMalloc(&a, n * 4));
    CHECK(cudaMalloc(&b, n * 4));
    cudaStream_t s[2];
    for (auto &stream : s) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaMemset(a, 1, n * 4));
    CHECK(cudaMemset(b, 2, n * 4));
    CHECK(cudaDeviceSynchronize());
    measure("copy engine", 20, 1e-3, "ms", [&] {
        CHECK(cudaMemcpyAsync(b, a, n * 4, cudaMemcpyDeviceToDevice, s[0]));
        CHECK(cudaStreamSynchronize(s[0]));
    });
    measure("copy kernel, one float a thread", 20, 1e-3, "ms", [&] {
        plain<<<groups(n, 1), 256, 0, s[0]>>>(b, a, n);
        CHECK(cudaStreamSynchronize(s[0]));
    });
    measure("copy kernel, four floats a thread, strided", 20, 1e-3, "ms", [&] {
        strided<<<groups(n, 4), 256, 0, s[0]>>>(b, a, n);
        CHECK(cudaStreamSynchronize(s[0]));
    });
    measure("the same, halves on two streams", 20, 1e-3, "ms", [&] {
        for (int k = 0; k < 2; k++) strided<<<groups(n / 2, 4), 256, 0, s[k]>>>(b + k * (n / 2), a + k * (n / 2), n / 2);
        for (auto &stream : s) CHECK(cudaStreamSynchronize(stream));
    });
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
}

static void launches() {
    float *a;
    CHECK(cudaMalloc(&a, 1 << 16));
    cudaStream_t s;
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    constexpr int batch = 256;
    std::vector<double> times;
    for (int k = 0; k < 200; k++) {
        double begin = now();
        for (int i = 0; i < batch; i++) add<<<1, 128, 0, s>>>(a, a + 1024, a + 2048, 128);
        times.push_back((now() - begin) * 1e3 / batch);
        CHECK(cudaStreamSynchronize(s));
    }
    std::sort(times.begin(), times.end());
    std::printf("%-44s %10.1f %10.1f ns\n", "launch <<<>>> of three arrays", times[100], times[190]);
    measure("launch and synchronize", 500, 1, "us", [&] {
        add<<<1, 128, 0, s>>>(a, a + 1024, a + 2048, 128);
        CHECK(cudaStreamSynchronize(s));
    });
    CHECK(cudaFree(a));
}

// Columns of two matrices of `rows` rows, one column for each device, by a thread each; events placed by hand.
static void columns(int devices, long rows) {
    std::vector<float *> from(devices), to(devices);
    std::vector<cudaStream_t> streams(devices);
    for (int d = 0; d < devices; d++) {
        CHECK(cudaSetDevice(d));
        CHECK(cudaMalloc(&from[d], rows * 4));
        CHECK(cudaMalloc(&to[d], rows * 4));
        CHECK(cudaMemset(from[d], d + 1, rows * 4));
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaStreamCreateWithFlags(&streams[d], cudaStreamNonBlocking));
    }
    measure("a column on each device, slices", 20, 1e-3, "ms", [&] {
        std::vector<std::thread> threads;
        for (int d = 0; d < devices; d++)
            threads.emplace_back([&, d] {
                CHECK(cudaSetDevice(d));
                strided<<<groups(rows, 4), 256, 0, streams[d]>>>(to[d], from[d], rows);
                CHECK(cudaStreamSynchronize(streams[d]));
            });
        for (auto &thread : threads) thread.join();
    });
    cudaEvent_t done[2];
    for (int d = 0; d < 2; d++) {
        CHECK(cudaSetDevice(d));
        CHECK(cudaEventCreateWithFlags(&done[d], cudaEventDisableTiming));
    }
    measure("launch, record and wait across two devices", 200, 1, "us", [&] {
        for (int k = 0; k < 100; k++)
            for (int d = 0; d < 2; d++) {
                CHECK(cudaSetDevice(d));
                CHECK(cudaStreamWaitEvent(streams[d], done[1 - d], 0));
                plain<<<1, 128, 0, streams[d]>>>(to[d], from[d], 128);
                CHECK(cudaEventRecord(done[d], streams[d]));
            }
        for (int d = 0; d < 2; d++) CHECK(cudaStreamSynchronize(streams[d]));
    });
}

int main(int count, char **arguments) {
    int devices = count > 1 ? std::atoi(arguments[1]) : 1;
    std::printf("%-44s %10s %10s\n", "CUDA C++", "median", "p95");
    copies(1000L * 1000 * 1000);
    launches();
    if (devices > 1) columns(devices, 500L * 1000 * 1000);
    return 0;
}
