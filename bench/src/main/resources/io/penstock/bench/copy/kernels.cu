// Each thread copies four elements at a distance of a block, all loads before the stores: on an H200 this runs as fast as the
// copy engine, where one element a thread takes half as long again.
extern "C" __global__ void __launch_bounds__(256) copyColumn(
    float* __restrict__ to, long long toAt, const float* __restrict__ from, long long fromAt, long long rows, int column) {
    to += toAt + column * rows;
    from += fromAt + column * rows;
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

// As small as a launch with three arrays can be.
extern "C" __global__ void addOne(float* c, const float* a, const float* b) {
    if (blockIdx.x == 0 && threadIdx.x == 0) c[0] = a[0] + b[0];
}
