/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The headers of SDL for Swift: windows, displays, keys and pointers. */
#pragma once

/* The program has a main () of its own. */
#define SDL_MAIN_HANDLED
#include <stdio.h>
#include <SDL2/SDL.h>
#include <SDL2/SDL_syswm.h>

/* Types of X11 that are macros, and would be Swift's. */
#undef Bool
#undef Status

/* The kind of event that says that the connection to the X server is lost. */
enum
{ CSDL_CONNECTION_LOST = SDL_USEREVENT + 1 };

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

/* The window that an event of X11 reports as destroyed; 0 where it is another
 * event. */
static inline unsigned long
csdl_x11_destroyed_window (const SDL_SysWMEvent * event)
{
  const XEvent *x11 = &event->msg->msg.x11.event;

  if (event->msg->subsystem != SDL_SYSWM_X11 || x11->type != DestroyNotify)
    return 0;
  return x11->xdestroywindow.window;
}

static inline int
csdl_x11_log_error (Display * display, XErrorEvent * event)
{
  SDL_LogDebug (SDL_LOG_CATEGORY_VIDEO, "X error %d of request %d.%d for 0x%lx",
      event->error_code, event->request_code, event->minor_code,
      event->resourceid);
  return 0;
}

/* Keeps X errors from ending the process, as Xlib does by default. The window
 * system can destroy a window at any time, and every request for it that is
 * already under way fails then. A handler that the program has installed
 * itself stays. */
static inline void
csdl_x11_survive_errors (void)
{
  XErrorHandler installed = XSetErrorHandler (NULL);

  if (installed != XSetErrorHandler (csdl_x11_log_error))
    XSetErrorHandler (installed);
}

/* Says in the place of the X server that a window is unmapped. Before SDL
 * destroys a window, it waits for that, and for ever where the window is gone:
 * it asks whether the window is mapped, and takes what is in its memory for the
 * answer where the server has none. */
static inline void
csdl_x11_report_unmapped (SDL_Window * window)
{
  SDL_SysWMinfo info;
  XEvent event = {.xunmap = {.type = UnmapNotify} };

  SDL_VERSION (&info.version);
  if (!SDL_GetWindowWMInfo (window, &info) || info.subsystem != SDL_SYSWM_X11)
    return;
  event.xunmap.display = info.info.x11.display;
  event.xunmap.event = event.xunmap.window = info.info.x11.window;
  XPutBackEvent (info.info.x11.display, &event);
}

static inline int
csdl_x11_log_loss (Display * display)
{
  fprintf (stderr, "The X server %s closed a connection.\n",
      DisplayString (display));
  return 0;
}

static inline void
csdl_x11_report_loss (Display * display, void *data)
{
  SDL_Event event = {.type = CSDL_CONNECTION_LOST };

  SDL_PushEvent (&event);
}

/* Has an event come if the X server closes the connection of SDL's windows, as
 * xkill makes it do. Xlib ends the process by default. */
static inline void
csdl_x11_survive_loss (SDL_Window * window)
{
  SDL_SysWMinfo info;

  SDL_VERSION (&info.version);
  if (!SDL_GetWindowWMInfo (window, &info) || info.subsystem != SDL_SYSWM_X11)
    return;
  /* Xlib's own handler ends the process before the other one is called. */
  XSetIOErrorHandler (csdl_x11_log_loss);
  XSetIOErrorExitHandler (info.info.x11.display, csdl_x11_report_loss, NULL);
}
