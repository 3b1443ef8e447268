/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* SDL, as Swift sees it: windows, displays, keys and pointers. */
#pragma once

/* The program has a main () of its own. */
#define SDL_MAIN_HANDLED
#include <SDL.h>
#include <SDL_syswm.h>

/* Types of X11 that are macros, and would be Swift's. */
#undef Bool
#undef Status

/* The number of a window of X11; 0 where it is none. */
static inline unsigned long
csdl_x11_window (SDL_Window * window)
{
  SDL_SysWMinfo info;

  SDL_VERSION (&info.version);
  if (!SDL_GetWindowWMInfo (window, &info) || info.subsystem != SDL_SYSWM_X11)
    return 0;
  return info.info.x11.window;
}
