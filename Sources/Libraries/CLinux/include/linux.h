/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Linux functions: grow an allocation in place, read how much memory and how
 * many processors a process may use, and tell which signals it ignores. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* mremap () is variadic and Linux's own, so Swift cannot call it.
 *
 * Grows a private anonymous mapping, moving it if it must; its pages are not
 * copied. Returns MAP_FAILED, with everything as before, if the system
 * refuses. */
void * linux_memory_grow (void * base, size_t old_size, size_t new_size);

/* Bytes of memory that this process may have: the machine's, or less where its
 * control group (version 1 or 2) or one that this lies in has a limit, as that
 * of a container. The root is "", or a folder that stands for /. */
uint64_t linux_memory_limit (const char * root);

/* The processors that this process may use: those of the machine, or fewer
 * where it is bound to some of them, or where its control group (version 1 or
 * 2) or one that this lies in has a quota, as that of a container. A quota is
 * rounded down to whole processors, at least one: a process that exceeds its
 * quota is suspended for a part of each period. */
uint32_t linux_processors (const char * root);

/* Whether a signal is ignored, as SIGHUP under nohup; SIG_IGN is a macro that
 * Swift cannot compare with. */
int linux_ignores_signal (int number);
