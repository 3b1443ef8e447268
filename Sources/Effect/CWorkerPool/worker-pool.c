/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The pool's work is described by one atomic word: the number of the run, its
 * number of parts, and the next part. A thread takes a part by incrementing
 * the last, which fails once the word is of another run: a thread that wakes
 * late can take nothing that is not there. */

#define _GNU_SOURCE
#include "worker-pool.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#define PART_BITS 16
#define PART_MASK ((UINT64_C (1) << PART_BITS) - 1)

/* The number of polls of a thread before it sleeps: ten to a hundred
 * microseconds, by how long a processor's pause is, so that the second half of
 * a frame finds the threads of the first awake. */
#define LOOKS 2000

struct _WorkerPool
{
  pthread_t *threads;
  uint32_t count;               /* of threads, without the caller's */

  /* Run << 32 | parts << 16 | next part. */
  _Atomic uint64_t work;
  _Atomic uint32_t done;        /* parts of this run */
  /* Set before work and read by those who took a part. */
  WorkerPoolBody body;
  void *context;

  pthread_mutex_t lock;
  pthread_cond_t work_changed;
  pthread_cond_t all_done;
  _Atomic uint32_t sleepers;    /* workers that wait for work_changed */
  _Atomic bool caller_sleeps;   /* the caller waits for all_done */
  bool ends;                    /* under the lock */
};

static void
rest (void)
{
#if defined(__x86_64__)
  __builtin_ia32_pause ();
#elif defined(__aarch64__)
  __asm__ volatile ("yield");
#endif
}

static uint32_t
parts_of (uint64_t work)
{
  return (uint32_t) (work >> PART_BITS & PART_MASK);
}

static bool
has_part (uint64_t work)
{
  return (work & PART_MASK) < parts_of (work);
}

/* Does parts as long as there are any. */
static void
work_on (WorkerPool * pool)
{
  uint64_t work = atomic_load_explicit (&pool->work, memory_order_acquire);

  while (has_part (work)) {
    if (!atomic_compare_exchange_weak_explicit (&pool->work, &work, work + 1,
            memory_order_acq_rel, memory_order_acquire))
      continue;
    pool->body (pool->context, (size_t) (work & PART_MASK));
    if (atomic_fetch_add (&pool->done, 1) + 1 == parts_of (work)
        && atomic_load (&pool->caller_sleeps)) {
      pthread_mutex_lock (&pool->lock);
      pthread_cond_signal (&pool->all_done);
      pthread_mutex_unlock (&pool->lock);
    }
    work = atomic_load_explicit (&pool->work, memory_order_acquire);
  }
}

/* Waits until there is work; false if the pool ends. */
static bool
wait_for_work (WorkerPool * pool)
{
  bool goes_on;

  for (int look = 0; look < LOOKS; look++) {
    if (has_part (atomic_load_explicit (&pool->work, memory_order_acquire)))
      return true;
    rest ();
  }
  pthread_mutex_lock (&pool->lock);
  atomic_fetch_add (&pool->sleepers, 1);
  while (!pool->ends && !has_part (atomic_load (&pool->work)))
    pthread_cond_wait (&pool->work_changed, &pool->lock);
  atomic_fetch_sub (&pool->sleepers, 1);
  goes_on = !pool->ends;
  pthread_mutex_unlock (&pool->lock);
  return goes_on;
}

static void *
run_worker (void *data)
{
  WorkerPool *pool = data;

#ifdef __APPLE__
  pthread_setname_np ("slitscan");
#else
  pthread_setname_np (pthread_self (), "slitscan");
#endif
  while (wait_for_work (pool))
    work_on (pool);
  return NULL;
}

WorkerPool *
worker_pool_new (uint32_t threads)
{
  WorkerPool *pool = calloc (1, sizeof (WorkerPool));
  sigset_t all, before;

  if (pool == NULL)
    return NULL;
  if (threads > 1)
    pool->threads = calloc (threads - 1, sizeof (pthread_t));
  pthread_mutex_init (&pool->lock, NULL);
  pthread_cond_init (&pool->work_changed, NULL);
  pthread_cond_init (&pool->all_done, NULL);

  /* Signals are the application's, and go to its threads. */
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  while (pool->threads != NULL && pool->count < threads - 1
      && pthread_create (&pool->threads[pool->count], NULL, run_worker,
          pool) == 0)
    pool->count++;
  pthread_sigmask (SIG_SETMASK, &before, NULL);

  if (pool->count == 0) {
    worker_pool_free (pool);
    return NULL;
  }
  return pool;
}

void
worker_pool_free (WorkerPool * pool)
{
  pthread_mutex_lock (&pool->lock);
  pool->ends = true;
  pthread_cond_broadcast (&pool->work_changed);
  pthread_mutex_unlock (&pool->lock);
  for (uint32_t i = 0; i < pool->count; i++)
    pthread_join (pool->threads[i], NULL);
  pthread_cond_destroy (&pool->all_done);
  pthread_cond_destroy (&pool->work_changed);
  pthread_mutex_destroy (&pool->lock);
  free (pool->threads);
  free (pool);
}

uint32_t
worker_pool_threads (const WorkerPool * pool)
{
  return pool->count + 1;
}

/* Waits until the last part is done; nearly always the next look is enough. */
static void
wait_until_done (WorkerPool * pool, uint32_t count)
{
  for (int look = 0; look < LOOKS; look++) {
    if (atomic_load_explicit (&pool->done, memory_order_acquire) == count)
      return;
    rest ();
  }
  pthread_mutex_lock (&pool->lock);
  atomic_store (&pool->caller_sleeps, true);
  while (atomic_load (&pool->done) != count)
    pthread_cond_wait (&pool->all_done, &pool->lock);
  atomic_store (&pool->caller_sleeps, false);
  pthread_mutex_unlock (&pool->lock);
}

void
worker_pool_run (WorkerPool * pool, WorkerPoolBody body, void *context,
    size_t count)
{
  uint64_t run;

  if (pool == NULL || count < 2 || count > WORKER_POOL_MOST_PARTS) {
    for (size_t part = 0; part < count; part++)
      body (context, part);
    return;
  }

  run = (atomic_load (&pool->work) >> 32) + 1;
  pool->body = body;
  pool->context = context;
  atomic_store (&pool->done, 0);
  atomic_store (&pool->work, run << 32 | (uint64_t) count << PART_BITS);
  if (atomic_load (&pool->sleepers) > 0) {
    pthread_mutex_lock (&pool->lock);
    pthread_cond_broadcast (&pool->work_changed);
    pthread_mutex_unlock (&pool->lock);
  }
  work_on (pool);
  wait_until_done (pool, (uint32_t) count);
}
