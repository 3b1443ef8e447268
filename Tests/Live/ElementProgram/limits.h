/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Cases of limits that are not in limits.c. */
#pragma once

void a_decoder_takes_its_time (void);
void a_stream_starts_with_its_map (void);
