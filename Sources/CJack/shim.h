/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* JACK, as Swift sees it: whether its server is there. */
#pragma once

#include <jack/jack.h>

/* A client of a server that runs already; NULL where there is none. */
static inline jack_client_t *
slitscan_jack_open (const char *name)
{
  /* Swift does not see functions with any number of arguments. */
  return jack_client_open (name, JackNoStartServer, NULL);
}
