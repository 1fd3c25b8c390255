/* The same exchanges as MpiTimes makes, in C, by the library that the process has loaded. Times are in seconds. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* The same memory each time, as Java's comes from a pool: no page of it is new when the clock runs. */
static double *room(void) {
    static double *data;
    if (!data) data = memset(aligned_alloc(2 << 20, 8 << 20), 1, 8 << 20);
    return data;
}

double penstock_ping_pong(long bytes, int rounds) {
    int rank;
    double *data = room();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    for (int i = 0; i < rounds; i++) {
        if (rank == 0) {
            MPI_Send(data, bytes / 8, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
            MPI_Recv(data, bytes / 8, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (rank == 1) {
            MPI_Recv(data, bytes / 8, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(data, bytes / 8, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
        }
    }
    return (MPI_Wtime() - start) / (2.0 * rounds);
}

double penstock_all_reduce(long bytes, int rounds) {
    double *data = room();
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    for (int i = 0; i < rounds; i++)
        MPI_Allreduce(MPI_IN_PLACE, data, bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return (MPI_Wtime() - start) / rounds;
}
