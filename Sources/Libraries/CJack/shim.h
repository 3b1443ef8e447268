/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The headers of JACK for Swift, of which only the server's state is used. */
#pragma once

#include <jack/jack.h>

/* A client of a server that runs already; NULL where there is none. */
static inline jack_client_t *
slitscan_jack_open (const char *name)
{
  /* Swift does not see functions with any number of arguments. */
  return jack_client_open (name, JackNoStartServer, NULL);
}
