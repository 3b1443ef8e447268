/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The part of the Swift runtime's interface that runs jobs, as in its
 * sources. */
#pragma once

typedef struct Job Job;

/* An executor as the runtime passes it; all zero is the global one. */
typedef struct
{
  void *identity;
  void *implementation;
} Executor;

/* The runtime's own calling convention. */
#define SWIFT __attribute__((swiftcall))

typedef void (*EnqueueGlobal) (Job * job) SWIFT;
typedef void (*EnqueueGlobalHook) (Job * job, EnqueueGlobal original) SWIFT;

extern EnqueueGlobalHook swift_task_enqueueGlobal_hook;
extern void swift_job_run (Job * job, Executor executor) SWIFT;

/* The hook. */
void one_thread_pool_enqueue (Job * job, EnqueueGlobal original) SWIFT;
