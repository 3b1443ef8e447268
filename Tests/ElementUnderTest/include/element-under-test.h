/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The element that tests use: the one that is linked into them or, where SLITSCAN_TEST_PLUGIN names a file,
 * the one of that plugin. */
#pragma once

#include <stdbool.h>

/* Starts GStreamer and registers the element, once a process. Whether there is an element. */
bool element_under_test_register (void);
