/*
 * An MPI library with the standard ABI of MPI 5.0, made of Debian's MPICH: what comes in by the standard's constants, handles and
 * statuses is handed on by MPICH's. It knows what the tests call, and ends the process on a handle that the standard does not have.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef intptr_t Handle;

typedef struct {
    int source, tag, error;
    int mpich[5];
} Status;

static void *find(const char *name) {
    static void *library;
    if (!library) library = dlopen("libmpich.so.12", RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    void *function = library ? dlsym(library, name) : NULL;
    if (!function) {
        fprintf(stderr, "MPICH has no %s\n", name);
        abort();
    }
    return function;
}

#define MPICH(name, ...) ((int (*)(__VA_ARGS__)) find("MPI_" name))

typedef struct {
    Handle standard;
    unsigned mpich;
} Pair;

static const Pair COMMS[] = {{0x101, 0x44000000}, {0x102, 0x44000001}, {0}};
static const Pair TYPES[] = {{0x241, 0x4c00013b}, {0x250, 0x4c000439}, {0x258, 0x4c00083a}, {0x210, 0x4c00040a},
                             {0x214, 0x4c00080b}, {0x212, 0x4c000840}, {0x216, 0x4c001041}, {0}};
static const Pair OPS[] = {{0x21, 0x58000003}, {0x22, 0x58000002}, {0x23, 0x58000001}, {0x24, 0x58000004}, {0}};
static const Pair REQUESTS[] = {{0x180, 0x2c000000}, {0}};
static const Pair INFOS[] = {{0x130, 0x1c000000}, {0}};
static const Pair HANDLERS[] = {{0x143, 0x54000001}, {0}};

/* Predefined handles of the standard are below 4096; others are MPICH's own. */
static int in(const Pair *pairs, Handle handle) {
    if (handle >= 4096) return (int) handle;
    for (; pairs->standard; pairs++)
        if (pairs->standard == handle) return (int) pairs->mpich;
    fprintf(stderr, "0x%lx is no handle of the standard's here\n", (long) handle);
    abort();
}

static Handle out(const Pair *pairs, int handle) {
    for (; pairs->standard; pairs++)
        if (pairs->mpich == (unsigned) handle) return pairs->standard;
    return (Handle) (unsigned) handle;
}

static const void *place(const void *buffer) { return buffer == (void *) 1 ? (void *) -1 : buffer; }

static void status_out(Status *status, const int *mpich) {
    if (!status) return;
    status->source = mpich[2];
    status->tag = mpich[3];
    status->error = mpich[4];
    memcpy(status->mpich, mpich, sizeof status->mpich);
}

static int level_out(int level) { return level * 1024 + (level == 3 ? 1024 : 0); }

/* The process */

int MPI_Abi_get_version(int *major, int *minor) {
    *major = 1;
    *minor = 0;
    return 0;
}

int MPI_Get_library_version(char *version, int *length) {
    *length = sprintf(version, "standard ABI over MPICH");
    return 0;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    if (required != 4096) return 13;
    int code = MPICH("Init_thread", void *, void *, int, int *)(argc, argv, 3, provided);
    *provided = level_out(*provided);
    return code;
}

int MPI_Query_thread(int *provided) {
    int code = MPICH("Query_thread", int *)(provided);
    *provided = level_out(*provided);
    return code;
}

int MPI_Finalize(void) { return MPICH("Finalize", void)(); }

int MPI_Abort(Handle comm, int code) { return MPICH("Abort", int, int)(in(COMMS, comm), code); }

int MPI_Error_string(int code, char *text, int *length) {
    return MPICH("Error_string", int, char *, int *)(code, text, length);
}

/* Communicators and operations */

int MPI_Comm_set_errhandler(Handle comm, Handle handler) {
    return MPICH("Comm_set_errhandler", int, int)(in(COMMS, comm), in(HANDLERS, handler));
}

int MPI_Comm_rank(Handle comm, int *rank) { return MPICH("Comm_rank", int, int *)(in(COMMS, comm), rank); }

int MPI_Comm_size(Handle comm, int *size) { return MPICH("Comm_size", int, int *)(in(COMMS, comm), size); }

int MPI_Comm_dup(Handle comm, Handle *result) {
    int made, code = MPICH("Comm_dup", int, int *)(in(COMMS, comm), &made);
    *result = out(COMMS, made);
    return code;
}

int MPI_Comm_split(Handle comm, int colour, int key, Handle *result) {
    int made, code = MPICH("Comm_split", int, int, int, int *)(in(COMMS, comm), colour, key, &made);
    *result = out(COMMS, made);
    return code;
}

int MPI_Comm_split_type(Handle comm, int type, int key, Handle info, Handle *result) {
    if (type != 221) return 13;
    int made, code = MPICH("Comm_split_type", int, int, int, int, int *)(in(COMMS, comm), 1, key, in(INFOS, info), &made);
    *result = out(COMMS, made);
    return code;
}

int MPI_Comm_free(Handle *comm) {
    int mpich = in(COMMS, *comm), code = MPICH("Comm_free", int *)(&mpich);
    *comm = 0x100;
    return code;
}

int MPI_Op_create(void *function, int commutes, Handle *op) {
    int made, code = MPICH("Op_create", void *, int, int *)(function, commutes, &made);
    *op = out(OPS, made);
    return code;
}

/* Collectives */

int MPI_Barrier(Handle comm) { return MPICH("Barrier", int)(in(COMMS, comm)); }

int MPI_Bcast(void *data, int n, Handle type, int root, Handle comm) {
    return MPICH("Bcast", void *, int, int, int, int)(data, n, in(TYPES, type), root, in(COMMS, comm));
}

int MPI_Allreduce(const void *from, void *to, int n, Handle type, Handle op, Handle comm) {
    return MPICH("Allreduce", const void *, void *, int, int, int, int)(
        place(from), to, n, in(TYPES, type), in(OPS, op), in(COMMS, comm));
}

int MPI_Reduce(const void *from, void *to, int n, Handle type, Handle op, int root, Handle comm) {
    return MPICH("Reduce", const void *, void *, int, int, int, int, int)(
        place(from), to, n, in(TYPES, type), in(OPS, op), root, in(COMMS, comm));
}

int MPI_Reduce_scatter(const void *from, void *to, const int *counts, Handle type, Handle op, Handle comm) {
    return MPICH("Reduce_scatter", const void *, void *, const int *, int, int, int)(
        place(from), to, counts, in(TYPES, type), in(OPS, op), in(COMMS, comm));
}

int MPI_Allgather(const void *from, int n, Handle type, void *to, int each, Handle into, Handle comm) {
    return MPICH("Allgather", const void *, int, int, void *, int, int, int)(
        place(from), n, in(TYPES, type), to, each, in(TYPES, into), in(COMMS, comm));
}

int MPI_Allgatherv(
    const void *from, int n, Handle type, void *to, const int *counts, const int *places, Handle into, Handle comm) {
    return MPICH("Allgatherv", const void *, int, int, void *, const int *, const int *, int, int)(
        place(from), n, in(TYPES, type), to, counts, places, in(TYPES, into), in(COMMS, comm));
}

/* Messages */

int MPI_Send(const void *data, int n, Handle type, int to, int tag, Handle comm) {
    return MPICH("Send", const void *, int, int, int, int, int)(data, n, in(TYPES, type), to, tag, in(COMMS, comm));
}

int MPI_Recv(void *data, int n, Handle type, int from, int tag, Handle comm, Status *status) {
    int mpich[5] = {0};
    int code = MPICH("Recv", void *, int, int, int, int, int, int *)(
        data, n, in(TYPES, type), from, tag, in(COMMS, comm), mpich);
    status_out(status, mpich);
    return code;
}

int MPI_Get_count(const Status *status, Handle type, int *count) {
    return MPICH("Get_count", const int *, int, int *)(status->mpich, in(TYPES, type), count);
}

/* Operations under way */

#define BEGUN(call)                       \
    int mpich, code = call;               \
    *request = out(REQUESTS, mpich);      \
    return code

int MPI_Comm_idup(Handle comm, Handle *result, Handle *request) {
    /* MPICH writes the handle when the request is complete, four of its eight bytes. */
    *result = 0;
    BEGUN(MPICH("Comm_idup", int, int *, int *)(in(COMMS, comm), (int *) result, &mpich));
}

int MPI_Isend(const void *data, int n, Handle type, int to, int tag, Handle comm, Handle *request) {
    BEGUN(MPICH("Isend", const void *, int, int, int, int, int, int *)(
        data, n, in(TYPES, type), to, tag, in(COMMS, comm), &mpich));
}

int MPI_Irecv(void *data, int n, Handle type, int from, int tag, Handle comm, Handle *request) {
    BEGUN(MPICH("Irecv", void *, int, int, int, int, int, int *)(
        data, n, in(TYPES, type), from, tag, in(COMMS, comm), &mpich));
}

int MPI_Ibarrier(Handle comm, Handle *request) { BEGUN(MPICH("Ibarrier", int, int *)(in(COMMS, comm), &mpich)); }

int MPI_Ibcast(void *data, int n, Handle type, int root, Handle comm, Handle *request) {
    BEGUN(MPICH("Ibcast", void *, int, int, int, int, int *)(
        data, n, in(TYPES, type), root, in(COMMS, comm), &mpich));
}

int MPI_Iallreduce(const void *from, void *to, int n, Handle type, Handle op, Handle comm, Handle *request) {
    BEGUN(MPICH("Iallreduce", const void *, void *, int, int, int, int, int *)(
        place(from), to, n, in(TYPES, type), in(OPS, op), in(COMMS, comm), &mpich));
}

int MPI_Ireduce(const void *from, void *to, int n, Handle type, Handle op, int root, Handle comm, Handle *request) {
    BEGUN(MPICH("Ireduce", const void *, void *, int, int, int, int, int, int *)(
        place(from), to, n, in(TYPES, type), in(OPS, op), root, in(COMMS, comm), &mpich));
}

int MPI_Iallgatherv(
    const void *from, int n, Handle type, void *to, const int *counts, const int *places, Handle into, Handle comm,
    Handle *request) {
    BEGUN(MPICH("Iallgatherv", const void *, int, int, void *, const int *, const int *, int, int, int *)(
        place(from), n, in(TYPES, type), to, counts, places, in(TYPES, into), in(COMMS, comm), &mpich));
}

int MPI_Test(Handle *request, int *flag, Status *status) {
    int own = in(REQUESTS, *request), mpich[5] = {0};
    int code = MPICH("Test", int *, int *, int *)(&own, flag, mpich);
    *request = out(REQUESTS, own);
    if (*flag) status_out(status, mpich);
    return code;
}

int MPI_Wait(Handle *request, Status *status) {
    int own = in(REQUESTS, *request), mpich[5] = {0};
    int code = MPICH("Wait", int *, int *)(&own, mpich);
    *request = out(REQUESTS, own);
    status_out(status, mpich);
    return code;
}
