/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Ignores SIGPIPE, so that a test that writes to a closed pipe gets an error.
 * By default, the signal would end all tests without a message, and the
 * parent process may have reset it to that. */

#include "ignored-sigpipe.h"

#include <signal.h>
#include <stddef.h>

static void ignore_sigpipe (void) __attribute__((constructor));

static void
ignore_sigpipe (void)
{
  signal (SIGPIPE, SIG_IGN);
}

bool
sigpipe_is_ignored (void)
{
  struct sigaction action;

  return sigaction (SIGPIPE, NULL, &action) == 0
      && action.sa_handler == SIG_IGN;
}
