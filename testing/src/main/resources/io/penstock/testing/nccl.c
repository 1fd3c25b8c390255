/*
 * A stand-in for NCCL beside the one for CUDA's driver, which STANDIN_DRIVER names. Ranks are threads or processes of one machine, and
 * meet in a file of the folder STANDIN_NCCL_FOLDER. What is issued runs on the streams, and keeps them busy until all ranks have come, as
 * NCCL's kernels do. Calls of communicators that do not block are issued by a thread, after a random delay of at most STANDIN_DELAY
 * nanoseconds; calls that come meanwhile, of a wrong device, or that differ between ranks are refused. STANDIN_NCCL_FAIL=N has the N-th group
 * of each communicator never end, and an error seen by whoever asks for it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

typedef uint64_t u64;
enum { SUCCESS = 0, SYSTEM_ERROR = 2, INTERNAL_ERROR = 3, INVALID_ARGUMENT = 4, INVALID_USAGE = 5, REMOTE_ERROR = 6, IN_PROGRESS = 7 };
enum { ALL_REDUCE, REDUCE, BROADCAST, SEND, RECEIVE };
enum { RANKS = 8, CHUNK = 16 << 10 };
typedef struct { char internal[128]; } ncclUniqueId;
typedef struct { size_t size; unsigned magic, version; int blocking; } config;
typedef struct { atomic_ullong written, read; u64 total, bytes; char data[CHUNK]; } channel; /* one chunk at a time */
typedef struct {
  atomic_int joined, left;
  atomic_ullong came; /* how often a rank has come to a barrier */
  u64 what[RANKS];
  char slot[RANKS][CHUNK];
  channel channels[RANKS][RANKS];
} meeting;
typedef struct { int kind, type, op, peer; const char *send; char *receive; u64 count, at; } call;
typedef struct comm {
  meeting *m;
  int rank, n, blocking, groups;
  u64 phase, device;
  atomic_int issuing, pending, aborted, error;
  char path[300];
} comm;
typedef struct group { struct group *next; comm *c; void *stream; int count, fails; call calls[64]; } group;

static __thread int depth, refused;
static __thread group *groups;
static int (*standin_call)(void *, void (*)(void *), void *);
static int (*context)(u64 *);
static const int sizes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8};

static void nap(u64 nanos) { struct timespec t = {nanos / 1000000000, nanos % 1000000000}; nanosleep(&t, NULL); }
static u64 number(const char *name) { return getenv(name) ? strtoull(getenv(name), NULL, 10) : 0; }
static int find_driver(void) {
  if (standin_call) return 1;
  void *driver = dlopen(getenv("STANDIN_DRIVER"), RTLD_NOW);
  if (!driver) return 0;
  context = (int (*)(u64 *))dlsym(driver, "cuCtxGetCurrent");
  standin_call = (int (*)(void *, void (*)(void *), void *))dlsym(driver, "standin_call");
  return standin_call != NULL;
}
static u64 current(void) { u64 c = 0; context(&c); return c; }

/* --------------------------------------------------------------------------------------------------------------- on a stream */

static int barrier(comm *c) {
  atomic_fetch_add(&c->m->came, 1);
  c->phase += c->n;
  while (c->m->came < c->phase) { if (c->aborted) return 0; nap(5000); }
  return 1;
}
#define EACH(T) for (u64 k = 0; k < bytes / sizeof(T); k++) { T a = ((T *)to)[k], b = ((T *)from)[k]; ((T *)to)[k] = op == 0 ? a + b : op == 1 ? a * b : op == 2 ? (a > b ? a : b) : (a < b ? a : b); }
static void combine(char *to, const char *from, u64 bytes, int type, int op) {
  switch (type) {
    case 1: EACH(unsigned char) break; case 2: EACH(int) break; case 4: EACH(int64_t) break; case 7: EACH(float) break; case 8: EACH(double) break;
  }
}
static void collective(comm *c, call *l) {
  meeting *m = c->m;
  u64 bytes = l->count * sizes[l->type], mine = ((l->kind * 16 + l->type) * 16 + l->op) * 16 + l->peer + (l->count << 16);
  for (u64 at = 0; at < bytes; at += CHUNK) {
    u64 some = bytes - at < CHUNK ? bytes - at : CHUNK;
    m->what[c->rank] = mine;
    if (l->kind != BROADCAST || c->rank == l->peer) memcpy(m->slot[c->rank], l->send + at, some);
    if (!barrier(c)) return;
    for (int r = 0; r < c->n; r++) if (m->what[r] != mine) c->error = INTERNAL_ERROR;
    if (l->kind == BROADCAST) memcpy(l->receive + at, m->slot[l->peer], some);
    else if (l->kind == ALL_REDUCE || c->rank == l->peer) {
      memcpy(l->receive + at, m->slot[0], some);
      for (int r = 1; r < c->n; r++) combine(l->receive + at, m->slot[r], some, l->type, l->op);
    }
    if (!barrier(c)) return;
  }
}
static int advance(comm *c, call *l) { /* whether the message is through */
  u64 bytes = l->count * sizes[l->type];
  channel *h = l->kind == SEND ? &c->m->channels[c->rank][l->peer] : &c->m->channels[l->peer][c->rank];
  if (l->at == bytes) return 1;
  if (l->kind == SEND && h->written == h->read) {
    h->total = bytes;
    h->bytes = bytes - l->at < CHUNK ? bytes - l->at : CHUNK;
    memcpy(h->data, l->send + l->at, h->bytes);
    l->at += h->bytes;
    h->written++;
  } else if (l->kind == RECEIVE && h->written > h->read) {
    if (h->total != bytes) c->error = INTERNAL_ERROR;
    u64 some = h->bytes < bytes - l->at ? h->bytes : bytes - l->at;
    memcpy(l->receive + l->at, h->data, some);
    l->at += some;
    h->read++;
  }
  return l->at == bytes;
}
static void run(void *argument) {
  group *g = argument;
  comm *c = g->c;
  if (g->fails) { c->error = REMOTE_ERROR; while (!c->aborted) nap(100000); }
  for (int k = 0; k < g->count && !c->aborted; k++) if (g->calls[k].kind < SEND) collective(c, &g->calls[k]);
  for (int left = 1; left && !c->aborted;) {
    int busy[2][RANKS] = {0};
    left = 0;
    for (int k = 0; k < g->count; k++) { /* messages of one pair go one after the other */
      call *l = &g->calls[k];
      if (l->kind < SEND) continue;
      int *b = &busy[l->kind == SEND][l->peer];
      if (!*b && !advance(c, l)) { *b = 1; left = 1; }
      else if (*b) left = 1;
    }
    if (left) nap(5000);
  }
  c->pending--;
  free(g);
}

/* ------------------------------------------------------------------------------------------------------------------ groups */

static void *issue(void *argument) {
  group *g = argument;
  comm *c = g->c;
  u64 most = number("STANDIN_DELAY");
  if (most) nap((u64)rand() % most);
  if (standin_call(g->stream, run, g)) c->error = SYSTEM_ERROR;
  c->issuing = 0;
  return NULL;
}
int ncclGroupStart(void) { depth++; return SUCCESS; }
int ncclGroupEnd(void) {
  if (--depth) return SUCCESS;
  int result = refused;
  group *next;
  for (group *g = groups; g; g = next) {
    comm *c = g->c;
    next = g->next;
    if (result != SUCCESS && result != IN_PROGRESS) { free(g); continue; }
    u64 fail = number("STANDIN_NCCL_FAIL");
    g->fails = fail && ++c->groups == (int)fail;
    c->issuing = 1;
    c->pending++;
    if (c->blocking) issue(g);
    else {
      pthread_t thread;
      pthread_create(&thread, NULL, issue, g);
      pthread_detach(thread);
      result = IN_PROGRESS;
    }
  }
  groups = NULL;
  refused = 0;
  return result;
}
static int add(comm *c, void *stream, call l) {
  int code = !c || l.type < 0 || l.type > 8 || l.peer < 0 || l.peer >= c->n ? INVALID_ARGUMENT : c->aborted || c->issuing || c->m->joined < c->n ? INVALID_USAGE : current() != c->device ? INVALID_USAGE : SUCCESS;
  ncclGroupStart();
  if (code) refused = code;
  else {
    group *g = groups;
    while (g && (g->c != c || g->stream != stream)) g = g->next;
    if (!g) { g = calloc(1, sizeof *g); g->c = c; g->stream = stream; g->next = groups; groups = g; }
    if (g->count == 64) refused = INVALID_USAGE; else g->calls[g->count++] = l;
  }
  int end = ncclGroupEnd();
  return code ? code : end;
}
int ncclAllReduce(const void *s, void *r, size_t n, int type, int op, comm *c, void *stream) { return add(c, stream, (call){ALL_REDUCE, type, op, 0, s, r, n}); }
int ncclReduce(const void *s, void *r, size_t n, int type, int op, int root, comm *c, void *stream) { return add(c, stream, (call){REDUCE, type, op, root, s, r, n}); }
int ncclBroadcast(const void *s, void *r, size_t n, int type, int root, comm *c, void *stream) { return add(c, stream, (call){BROADCAST, type, 0, root, s, r, n}); }
int ncclSend(const void *s, size_t n, int type, int peer, comm *c, void *stream) { return add(c, stream, (call){SEND, type, 0, peer, s, NULL, n}); }
int ncclRecv(void *r, size_t n, int type, int peer, comm *c, void *stream) { return add(c, stream, (call){RECEIVE, type, 0, peer, NULL, r, n}); }

/* ------------------------------------------------------------------------------------------------------------ communicators */

int ncclGetVersion(int *v) { *v = 22803; return SUCCESS; }
const char *ncclGetErrorString(int e) { return e == REMOTE_ERROR ? "remote process exited or there was a network error" : e == INVALID_ARGUMENT ? "invalid argument" : e == INVALID_USAGE ? "invalid usage" : e == INTERNAL_ERROR ? "the ranks' calls differ" : "as the stand-in says"; }
const char *ncclGetLastError(comm *c) { return ""; }
int ncclGetUniqueId(ncclUniqueId *id) {
  static atomic_int made;
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  memset(id, 0, sizeof *id);
  snprintf(id->internal, sizeof id->internal, "nccl-%d-%d-%ld%09ld", (int)getpid(), made++, (long)t.tv_sec, t.tv_nsec);
  return SUCCESS;
}
int ncclCommInitRankConfig(comm **out, int n, ncclUniqueId id, int rank, config *how) {
  if (n < 1 || n > RANKS || rank < 0 || rank >= n || how->magic != 0xcafebeef) return INVALID_ARGUMENT;
  if (!find_driver() || !getenv("STANDIN_NCCL_FOLDER")) return SYSTEM_ERROR;
  comm *c = calloc(1, sizeof *c);
  snprintf(c->path, sizeof c->path, "%s/%s", getenv("STANDIN_NCCL_FOLDER"), id.internal);
  int file = open(c->path, O_RDWR | O_CREAT, 0600);
  if (file < 0 || ftruncate(file, sizeof(meeting))) return SYSTEM_ERROR;
  c->m = mmap(NULL, sizeof(meeting), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  c->rank = rank;
  c->n = n;
  c->blocking = how->blocking;
  c->device = current();
  *out = c;
  c->m->joined++;
  while (c->blocking && c->m->joined < n) nap(100000);
  return c->blocking ? SUCCESS : IN_PROGRESS;
}
int ncclCommInitRank(comm **out, int n, ncclUniqueId id, int rank) { config how = {.magic = 0xcafebeef, .blocking = 1}; return ncclCommInitRankConfig(out, n, id, rank, &how); }
int ncclCommGetAsyncError(comm *c, int *e) { *e = c->error ? c->error : c->m->joined < c->n || c->issuing ? IN_PROGRESS : SUCCESS; return SUCCESS; }
int ncclCommFinalize(comm *c) { while (c->blocking && c->pending) nap(100000); return c->pending ? IN_PROGRESS : SUCCESS; }
static int release(comm *c) {
  while (c->pending) nap(100000);
  if (++c->m->left == c->n) unlink(c->path);
  munmap(c->m, sizeof(meeting));
  free(c);
  return SUCCESS;
}
int ncclCommDestroy(comm *c) { return release(c); }
int ncclCommAbort(comm *c) { c->aborted = 1; return release(c); }
