/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Code shared by the kernels that make pyramids and those that search them for
 * motion. */
#pragma once

#include "slitscan-flow.h"

#include "variants.h"

/* Pixels from node to node. */
#define SPACING 4
/* Pixels of a row of a patch: as long as a vector, so that what is read behind
 * a patch counts for nothing. */
#define PITCH 16
/* Fewer nodes than this are not worth waking a thread. */
#define FEWEST_NODES_TO_SHARE 512
#define PARTS_A_THREAD 4

SLIT_SCAN_INLINE int32_t
within (int32_t value, int32_t least, int32_t most)
{
  return value < least ? least : value > most ? most : value;
}

/* Parts of the work on so many nodes that threads take in turns. */
SLIT_SCAN_INLINE uint32_t
shares (size_t nodes, WorkerPool * pool)
{
  return pool == NULL || nodes < FEWEST_NODES_TO_SHARE
      ? 1 : PARTS_A_THREAD * worker_pool_threads (pool);
}
