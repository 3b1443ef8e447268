/* Swift's global executor on a single thread.
 *
 * The runtime asks a hook before it gives a job to its pool. Here the hook puts the job in a queue
 * that one thread works off, so that a job which blocks this thread keeps every other from running:
 * what waits for one of them never ends.
 */
#include "one-thread-pool.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct Job Job;

/* An executor as the runtime passes it; all zero is the global one. */
typedef struct
{
  void *identity;
  void *implementation;
} Executor;

typedef __attribute__((swiftcall)) void (*EnqueueGlobal) (Job * job);
typedef __attribute__((swiftcall)) void (*EnqueueGlobalHook) (Job * job,
    EnqueueGlobal original);

extern EnqueueGlobalHook swift_task_enqueueGlobal_hook;
extern __attribute__((swiftcall)) void swift_job_run (Job * job, Executor executor);

typedef struct Entry
{
  struct Entry *next;
  Job *job;
} Entry;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t came = PTHREAD_COND_INITIALIZER;
static Entry *first;
static Entry **end = &first;
static pthread_t worker;

static void *
work (void *nothing)
{
  Executor global = { NULL, NULL };

  for (;;) {
    Entry *entry;

    pthread_mutex_lock (&mutex);
    while (first == NULL)
      pthread_cond_wait (&came, &mutex);
    entry = first;
    first = entry->next;
    if (first == NULL)
      end = &first;
    pthread_mutex_unlock (&mutex);

    swift_job_run (entry->job, global);
    free (entry);
  }
  return nothing;
}

static __attribute__((swiftcall)) void
enqueue (Job * job, EnqueueGlobal original)
{
  Entry *entry = malloc (sizeof *entry);

  if (entry == NULL)
    abort ();
  (void) original;
  entry->next = NULL;
  entry->job = job;
  pthread_mutex_lock (&mutex);
  *end = entry;
  end = &entry->next;
  pthread_cond_signal (&came);
  pthread_mutex_unlock (&mutex);
}

bool
one_thread_pool_install (void)
{
  if (pthread_create (&worker, NULL, work, NULL) != 0)
    return false;
  swift_task_enqueueGlobal_hook = enqueue;
  return true;
}

bool
one_thread_pool_is_current (void)
{
  return pthread_equal (pthread_self (), worker);
}
