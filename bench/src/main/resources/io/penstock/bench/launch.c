/* Bare launches through the CUDA driver, for the cost of ours to be held against. All return nanoseconds for one. */
#include <stdint.h>
#include <time.h>

typedef int (*launch_kernel)(uint64_t, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, uint64_t, void **, void **);
typedef int (*event_record)(uint64_t, uint64_t);
typedef int (*stream_wait)(uint64_t, uint64_t, unsigned);

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}

double launches(launch_kernel launch, uint64_t kernel, uint64_t stream, void **parameters, long count) {
  double begin = now();
  for (long i = 0; i < count; i++)
    if (launch(kernel, 1, 1, 1, 128, 1, 1, 0, stream, parameters, 0)) return -1;
  return (now() - begin) / count;
}

/* Each launch follows the one before it on the other stream. */
double exchanges(launch_kernel launch, event_record record, stream_wait wait, uint64_t kernel, uint64_t *streams, uint64_t *events,
                 void **parameters, long count) {
  double begin = now();
  for (long i = 0; i < count; i++) {
    int k = i & 1;
    if (launch(kernel, 1, 1, 1, 128, 1, 1, 0, streams[k], parameters, 0) || record(events[k], streams[k]) ||
        wait(streams[1 - k], events[k], 0))
      return -1;
  }
  return (now() - begin) / count;
}
