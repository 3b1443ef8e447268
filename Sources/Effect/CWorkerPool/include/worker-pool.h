/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* A pool of threads that share the work of one frame. They are started once
 * and sleep between frames; a run starts no thread and allocates nothing. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

/* The most parts that one run can have. */
#define WORKER_POOL_MOST_PARTS 0xFFFFu

typedef struct _WorkerPool WorkerPool;

/* One part of the work; parts of a run may be done in any order, at once. */
typedef void (*WorkerPoolBody) (void *_Nullable context, size_t part);

/* A pool of `threads` threads, the one that calls worker_pool_run() counted.
 * NULL if the system refuses memory or even one thread; if it refuses some, the
 * pool has fewer. */
WorkerPool *_Nullable worker_pool_new (uint32_t threads);

/* Ends the threads. No run may be under way. */
void worker_pool_free (WorkerPool * pool);

/* The number of threads in a run. */
uint32_t worker_pool_threads (const WorkerPool * pool);

/* Does the parts 0 to count - 1, at most WORKER_POOL_MOST_PARTS, and returns
 * when all are done. The calling thread does its share, and all of it where
 * pool is NULL. One thread at a time may call this. */
void worker_pool_run (WorkerPool * _Nullable pool, WorkerPoolBody body,
    void *_Nullable context, size_t count);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
