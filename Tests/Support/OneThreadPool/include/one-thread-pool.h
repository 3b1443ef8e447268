/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Runs Swift's global executor on a single thread. */
#pragma once

#include <stdbool.h>

/* From now on, every job of Swift's cooperative pool runs on one thread, for the rest of the
 * process. Returns whether that thread could be started. */
bool one_thread_pool_install (void);

/* Whether the caller is on that thread. */
bool one_thread_pool_is_current (void);
