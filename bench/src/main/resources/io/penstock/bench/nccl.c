/* All-reduces between GPUs as tests of NCCL's speed make them: a thread for each GPU, calls that block, one after the other on a stream. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <time.h>

enum { MOST = 16, FLOAT32 = 7, SUM = 0 };
typedef struct { char internal[128]; } id;

static int (*init_rank)(void **, int, id, int);
static int (*all_reduce)(const void *, void *, size_t, int, int, void *, void *);
static int (*retain)(uint64_t *, int), (*set_current)(uint64_t), (*allocate)(uint64_t *, size_t), (*create)(void **, unsigned, int), (*await)(void *);
static pthread_barrier_t barrier;
static id unique;
static long gpus, bytes, rounds, most;
static void *comms[MOST], *streams[MOST];
static uint64_t contexts[MOST], memory[MOST];
static int failures[MOST];
static double took;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}
static void *open_gpu(void *argument) {
  long g = (long)argument;
  failures[g] = retain(&contexts[g], g) || set_current(contexts[g]) || allocate(&memory[g], most) || create(&streams[g], 1, 0)
      || init_rank(&comms[g], gpus, unique, g);
  return 0;
}
static void *time_gpu(void *argument) {
  long g = (long)argument;
  set_current(contexts[g]);
  pthread_barrier_wait(&barrier);
  double begin = now();
  for (long i = 0; i < rounds; i++) failures[g] |= all_reduce((void *)memory[g], (void *)memory[g], bytes / 4, FLOAT32, SUM, comms[g], streams[g]);
  failures[g] |= await(streams[g]);
  pthread_barrier_wait(&barrier);
  if (g == 0) took = (now() - begin) / rounds;
  return 0;
}
static int everywhere(void *(*body)(void *)) {
  pthread_t threads[MOST];
  int failed = 0;
  for (long g = 0; g < gpus; g++) pthread_create(&threads[g], 0, body, (void *)g);
  for (long g = 0; g < gpus; g++) pthread_join(threads[g], 0);
  for (long g = 0; g < gpus; g++) failed |= failures[g];
  return failed;
}

/* Prepares communicators over the first GPUs and memory on each; 0 when that went well. */
double nccl_open(const char *nccl, const char *driver, long devices, long capacity) {
  void *n = dlopen(nccl, RTLD_NOW), *d = dlopen(driver, RTLD_NOW);
  if (!n || !d || devices > MOST) return 1;
  int (*get_id)(id *) = (int (*)(id *))dlsym(n, "ncclGetUniqueId");
  init_rank = (int (*)(void **, int, id, int))dlsym(n, "ncclCommInitRank");
  all_reduce = (int (*)(const void *, void *, size_t, int, int, void *, void *))dlsym(n, "ncclAllReduce");
  retain = (int (*)(uint64_t *, int))dlsym(d, "cuDevicePrimaryCtxRetain");
  set_current = (int (*)(uint64_t))dlsym(d, "cuCtxSetCurrent");
  allocate = (int (*)(uint64_t *, size_t))dlsym(d, "cuMemAlloc_v2");
  create = (int (*)(void **, unsigned, int))dlsym(d, "cuStreamCreateWithPriority");
  await = (int (*)(void *))dlsym(d, "cuStreamSynchronize");
  if (!get_id || !init_rank || !all_reduce || !retain || !set_current || !allocate || !create || !await) return 2;
  gpus = devices;
  most = capacity;
  if (get_id(&unique) || pthread_barrier_init(&barrier, 0, gpus)) return 3;
  return everywhere(open_gpu) ? 4 : 0;
}

/* Seconds for one all-reduce; negative when one failed. */
double nccl_all_reduce(long size, long count) {
  bytes = size;
  rounds = count;
  return everywhere(time_gpu) ? -1 : took;
}
