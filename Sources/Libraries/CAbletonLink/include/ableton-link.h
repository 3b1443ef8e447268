/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Ableton Link in C: a tempo and a beat that programs in a network share. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct AbletonLink AbletonLink;

/* At this moment. */
typedef struct
{
  size_t peers;                 /* other programs */
  double tempo;                 /* beats a minute */
  double beat;                  /* within the bar of four beats, from 0 */
} AbletonLinkState;

/* Does not join a session yet. NULL if the system has no network. */
AbletonLink *ableton_link_new (double tempo);

/* Joins the other programs; where there are any, their tempo counts. */
void ableton_link_join (AbletonLink * link);

/* Leaves them. */
void ableton_link_free (AbletonLink * link);

AbletonLinkState ableton_link_state (AbletonLink * link);

/* Sets the tempo for all programs. The beat is set only if no other program
 * has joined: a peer does not move the beat of a running session. */
void ableton_link_set (AbletonLink * link, double tempo, double beat);

#ifdef __cplusplus
}
#endif
