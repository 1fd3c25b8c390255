// Each item copies four neighbouring elements.
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void copyColumn(
    __global float* restrict to, long toAt, __global const float* restrict from, long fromAt, long rows, int column) {
    to += toAt + column * rows;
    from += fromAt + column * rows;
    long first = 4 * (long)get_global_id(0);
    if (first + 4 <= rows) {
        vstore4(vload4(0, from + first), 0, to + first);
    } else {
        for (long i = first; i < rows; i++) to[i] = from[i];
    }
}

// As small as a launch with three arrays can be.
__kernel void addOne(__global float* c, __global const float* a, __global const float* b) {
    if (get_global_id(0) == 0) c[0] = a[0] + b[0];
}
