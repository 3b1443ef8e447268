/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */
/* Tells whether SIGPIPE is ignored, which linking this module does. */
#pragma once

#include <stdbool.h>

/* Whether SIGPIPE is ignored, as it is from the start. */
bool sigpipe_is_ignored (void);
