/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Runs Swift's global executor on a single thread.
 *
 * The runtime asks a hook before it gives a job to its pool. Here the hook puts the job in a queue
 * that one thread works off, so that a job which blocks this thread keeps every other from running:
 * what waits for one of them never ends.
 */
#include "one-thread-pool.h"
#include "swift-runtime.h"

#include <pthread.h>
#include <stdlib.h>

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

void
one_thread_pool_enqueue (Job * job, EnqueueGlobal original)
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
  swift_task_enqueueGlobal_hook = one_thread_pool_enqueue;
  return true;
}

bool
one_thread_pool_is_current (void)
{
  return pthread_equal (pthread_self (), worker);
}
