// Each item copies four elements at a distance of a group.
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void copyColumn(
    __global float* restrict to, long toAt, __global const float* restrict from, long fromAt, long rows, int column) {
    to += toAt + column * rows;
    from += fromAt + column * rows;
    long first = (long)get_group_id(0) * 1024 + get_local_id(0);
    if (first + 768 < rows) {
        float a = from[first], b = from[first + 256], c = from[first + 512], d = from[first + 768];
        to[first] = a;
        to[first + 256] = b;
        to[first + 512] = c;
        to[first + 768] = d;
    } else {
        for (long i = first; i < rows; i += 256) to[i] = from[i];
    }
}

// As small as a launch with three arrays can be.
__kernel void addOne(__global float* c, __global const float* a, __global const float* b) {
    if (get_global_id(0) == 0) c[0] = a[0] + b[0];
}
