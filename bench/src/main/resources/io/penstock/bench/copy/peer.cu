// The twin of `penstock bench copy` in CUDA C++: the same cases with the order made by hand. The benchmark compiles and runs it where
// there is nvcc. By hand:
//
//   nvcc -O3 -std=c++17 -arch=native -o peer peer.cu
//   ./peer ROWS UNIFIED_ROWS ROUNDS DEVICES
//
// It prints a line for each case: the name, then median, p95, least and most in seconds, with tabs between.
#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#define CHECK(call)                                                                                  \
    do {                                                                                             \
        cudaError_t code_ = (call);                                                                  \
        if (code_ != cudaSuccess) {                                                                  \
            std::printf("%s failed: %s\n", #call, cudaGetErrorString(code_));                        \
            std::exit(1);                                                                            \
        }                                                                                            \
    } while (0)

__global__ void __launch_bounds__(256)
    copyColumn(float* __restrict__ to, const float* __restrict__ from, long long rows, int column) {
    to += column * rows;
    from += column * rows;
    long long first = blockIdx.x * 1024LL + threadIdx.x;
    if (first + 768 < rows) {
        float a = from[first], b = from[first + 256], c = from[first + 512], d = from[first + 768];
        to[first] = a;
        to[first + 256] = b;
        to[first + 512] = c;
        to[first + 768] = d;
    } else {
        for (long long i = first; i < rows; i += 256) to[i] = from[i];
    }
}

__global__ void addOne(float* c, const float* a, const float* b) {
    if (blockIdx.x == 0 && threadIdx.x == 0) c[0] = a[0] + b[0];
}

static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static void print(const std::string& name, std::vector<double> seconds) {
    std::sort(seconds.begin(), seconds.end());
    size_t n = seconds.size();
    std::printf("%s\t%.9g\t%.9g\t%.9g\t%.9g\n", name.c_str(), seconds[n / 2], seconds[std::min(n - 1, n * 95 / 100)],
                seconds[0], seconds[n - 1]);
    std::fflush(stdout);
}

static int groups(long long rows) { return (int)((rows + 1023) / 1024); }

// A stream, the events around its work, and where the device's clock stood at a time of the host's.
struct Lane {
    int device;
    cudaStream_t stream;
    cudaEvent_t base, begin, end;
    double baseHost;
    std::function<void(cudaStream_t)> launch;

    Lane(int device, std::function<void(cudaStream_t)> launch) : device(device), launch(launch) {
        CHECK(cudaSetDevice(device));
        CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        CHECK(cudaEventCreate(&base));
        CHECK(cudaEventCreate(&begin));
        CHECK(cudaEventCreate(&end));
        // The shortest of several trials tells best when the event was.
        double shortest = 1;
        for (int i = 0; i < 20 || shortest == 1; i++) {
            cudaEvent_t trial;
            CHECK(cudaEventCreate(&trial));
            double before = now();
            CHECK(cudaEventRecord(trial, stream));
            while (cudaEventQuery(trial) == cudaErrorNotReady) {
            }
            double after = now();
            if (after - before < shortest) {
                shortest = after - before;
                baseHost = (before + after) / 2;
                std::swap(base, trial);
            }
            CHECK(cudaEventDestroy(trial));
        }
    }

    void round() {
        CHECK(cudaEventRecord(begin, stream));
        launch(stream);
        CHECK(cudaEventRecord(end, stream));
        cudaError_t code;
        while ((code = cudaEventQuery(end)) == cudaErrorNotReady) {
        }
        CHECK(code);
    }

    double at(cudaEvent_t event) const {
        float milliseconds;
        CHECK(cudaEventElapsedTime(&milliseconds, base, event));
        return baseHost + milliseconds * 1e-3;
    }
};

static void measure(const std::string& name, std::vector<Lane>& lanes, int rounds) {
    const int warmUps = 10;
    size_t n = lanes.size();
    std::atomic<long> arrived(0);
    std::vector<std::vector<double>> begins(n, std::vector<double>(rounds)), ends = begins;
    auto run = [&](size_t lane) {
        CHECK(cudaSetDevice(lanes[lane].device));
        for (int i = -warmUps; i < rounds; i++) {
            long target = (arrived.fetch_add(1) / (long)n + 1) * (long)n;
            while (arrived.load() < target) {
            }
            lanes[lane].round();
            if (i >= 0) {
                begins[lane][i] = lanes[lane].at(lanes[lane].begin);
                ends[lane][i] = lanes[lane].at(lanes[lane].end);
            }
        }
    };
    std::vector<std::thread> threads;
    for (size_t lane = 1; lane < n; lane++) threads.emplace_back(run, lane);
    run(0);
    for (auto& thread : threads) thread.join();
    std::vector<double> seconds(rounds);
    for (int i = 0; i < rounds; i++) {
        double begin = begins[0][i], end = ends[0][i];
        for (size_t lane = 1; lane < n; lane++) {
            begin = std::min(begin, begins[lane][i]);
            end = std::max(end, ends[lane][i]);
        }
        seconds[i] = end - begin;
    }
    print(name, seconds);
}

static std::function<void(cudaStream_t)> column(float* to, const float* from, long long rows, int k) {
    return [=](cudaStream_t stream) {
        copyColumn<<<groups(rows), 256, 0, stream>>>(to, from, rows, k);
        CHECK(cudaGetLastError());
    };
}

static bool reaches(int device, int other) {
    int can = 0;
    CHECK(cudaDeviceCanAccessPeer(&can, device, other));
    if (!can) return false;
    CHECK(cudaSetDevice(device));
    cudaError_t code = cudaDeviceEnablePeerAccess(other, 0);
    if (code == cudaErrorPeerAccessAlreadyEnabled) cudaGetLastError();
    return code == cudaSuccess || code == cudaErrorPeerAccessAlreadyEnabled;
}

static void cases(const std::string& prefix, bool unified, long long size, int devices, int rounds) {
    int count = std::max(2, devices);
    long long rows = 2 * size / count;
    size_t bytes = count * rows * sizeof(float);
    float *to, *from;
    CHECK(cudaSetDevice(0));
    if (unified) {
        CHECK(cudaMallocManaged(&to, bytes));
        CHECK(cudaMallocManaged(&from, bytes));
    } else {
        CHECK(cudaMalloc(&to, bytes));
        CHECK(cudaMalloc(&from, bytes));
    }
    CHECK(cudaMemset(from, 1, bytes));
    CHECK(cudaMemset(to, 2, bytes));
    CHECK(cudaDeviceSynchronize());
    if (!unified) {
        std::vector<Lane> engine{Lane(0, [=](cudaStream_t stream) {
            CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream));
        })};
        measure(prefix + "engine", engine, rounds);
    }
    std::vector<Lane> single{Lane(0, column(to, from, count * rows, 0))};
    measure(prefix + "single", single, rounds);
    std::vector<Lane> queues;
    for (int k = 0; k < count; k++) queues.emplace_back(0, column(to, from, rows, k));
    measure(prefix + "queues", queues, rounds);
    if (devices > 1) {
        bool peers = unified;
        for (int k = 1; k < devices && !unified; k++) peers = reaches(k, 0);
        if (peers) {
            std::vector<Lane> wrong{Lane(1, column(to, from, count * rows, 0))};
            measure(prefix + "wrong device", wrong, rounds);
            std::vector<Lane> several;
            for (int k = 0; k < devices; k++) several.emplace_back(k, column(to, from, rows, k));
            measure(prefix + "devices", several, rounds);
        }
    }
    CHECK(cudaSetDevice(0));
    CHECK(cudaFree(to));
    CHECK(cudaFree(from));
    if (devices < 2 || unified) return;
    std::vector<Lane> own;
    std::vector<float*> parts;
    for (int k = 0; k < devices; k++) {
        CHECK(cudaSetDevice(k));
        float *a, *b;
        CHECK(cudaMalloc(&a, rows * sizeof(float)));
        CHECK(cudaMalloc(&b, rows * sizeof(float)));
        CHECK(cudaMemset(b, 1, rows * sizeof(float)));
        CHECK(cudaDeviceSynchronize());
        parts.insert(parts.end(), {a, b});
        own.emplace_back(k, column(a, b, rows, 0));
    }
    measure(prefix + "own parts", own, rounds);
    for (float* part : parts) CHECK(cudaFree(part));
}

// A bare cuLaunchKernel, and two streams that hand two arrays to and fro by events placed by hand.
static void launches() {
    CHECK(cudaSetDevice(0));
    float *x, *y, *z;
    CHECK(cudaMalloc(&x, 4096));
    CHECK(cudaMalloc(&y, 4096));
    CHECK(cudaMalloc(&z, 4096));
    cudaStream_t first, second;
    CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    cudaFunction_t function;
    CHECK(cudaGetFuncBySymbol(&function, (const void*)addOne));
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result;
    CHECK(cudaGetDriverEntryPointByVersion("cuLaunchKernel", &found, 12000, cudaEnableDefault, &result));
    auto launch = (CUresult(*)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream,
                               void**, void**))found;
    auto issue = [&](float* c, float* a, float* b, cudaStream_t stream) {
        void* arguments[] = {&c, &a, &b};
        if (launch((CUfunction)function, 1, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr) != CUDA_SUCCESS) {
            std::printf("cuLaunchKernel failed\n");
            std::exit(1);
        }
    };
    const int burst = 256, bursts = 200;
    std::vector<double> seconds(bursts);
    for (int i = -20; i < bursts; i++) {
        double start = now();
        for (int k = 0; k < burst; k++) issue(z, x, y, first);
        if (i >= 0) seconds[i] = (now() - start) / burst;
        CHECK(cudaStreamSynchronize(first));
    }
    print("launch", seconds);
    cudaEvent_t there, back;
    CHECK(cudaEventCreateWithFlags(&there, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&back, cudaEventDisableTiming));
    for (int i = -20; i < bursts; i++) {
        double start = now();
        for (int k = 0; k < burst; k += 2) {
            CHECK(cudaStreamWaitEvent(first, back, 0));
            issue(z, x, y, first);
            CHECK(cudaEventRecord(there, first));
            CHECK(cudaStreamWaitEvent(second, there, 0));
            issue(z, x, y, second);
            CHECK(cudaEventRecord(back, second));
        }
        if (i >= 0) seconds[i] = (now() - start) / burst;
        CHECK(cudaStreamSynchronize(first));
        CHECK(cudaStreamSynchronize(second));
    }
    print("crossing", seconds);
    const int exchanges = 10000;
    std::vector<double> each;
    for (int pass = 0; pass < 3; pass++) {
        double start = now();
        for (int k = 0; k < exchanges; k++) {
            CHECK(cudaStreamWaitEvent(first, back, 0));
            issue(x, y, z, first);
            CHECK(cudaEventRecord(there, first));
            CHECK(cudaStreamWaitEvent(second, there, 0));
            issue(y, x, z, second);
            CHECK(cudaEventRecord(back, second));
        }
        CHECK(cudaStreamSynchronize(second));
        each.push_back((now() - start) / exchanges);
    }
    print("exchange", each);
}

int main(int count, char** arguments) {
    if (count != 5) {
        std::printf("usage: %s ROWS UNIFIED_ROWS ROUNDS DEVICES\n", arguments[0]);
        return 2;
    }
    int devices = std::atoi(arguments[4]);
    int rounds = std::atoi(arguments[3]);
    cases("", false, std::atoll(arguments[1]), devices, rounds);
    cases("small ", false, std::atoll(arguments[2]), devices, rounds);
    cases("unified ", true, std::atoll(arguments[2]), devices, rounds);
    launches();
    return 0;
}
