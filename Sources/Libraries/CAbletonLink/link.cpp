/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The part of Ableton's library that a show uses. No exception leaves these
 * functions. */

#include "ableton-link.h"

#include <ableton/Link.hpp>

/* Beats of a bar, in which programs have the same phase. */
static const double BAR = 4;

struct AbletonLink
{
  ableton::Link link;
  explicit AbletonLink (double tempo) : link (tempo) {}
};

AbletonLink *
ableton_link_new (double tempo)
{
  try {
    return new AbletonLink (tempo);
  } catch (...) {
    return nullptr;
  }
}

void
ableton_link_join (AbletonLink * self)
{
  self->link.enable (true);
}

void
ableton_link_free (AbletonLink * self)
{
  delete self;
}

AbletonLinkState
ableton_link_state (AbletonLink * self)
{
  auto session = self->link.captureAppSessionState ();

  return {self->link.numPeers (), session.tempo (),
      session.phaseAtTime (self->link.clock ().micros (), BAR)};
}

void
ableton_link_set (AbletonLink * self, double tempo, double beat)
{
  auto session = self->link.captureAppSessionState ();
  auto now = self->link.clock ().micros ();

  session.setTempo (tempo, now);
  if (self->link.numPeers () == 0)
    session.forceBeatAtTime (beat, now, BAR);
  self->link.commitAppSessionState (session);
}
