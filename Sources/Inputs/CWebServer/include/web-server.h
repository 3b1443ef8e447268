/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Additions to libsoup's server: it accepts connections itself, so that they
 * can be counted and ended, and shows each frame of WebSockets.
 * Everything runs on one thread and uses that thread's default main
 * context. */
#pragma once

#include <libsoup/soup.h>

/* Listens on an address in digits. G_IO_ERROR_INVALID_ARGUMENT is for what is
 * no address. */
GSocket *web_listen (const gchar * address, guint16 port, GError ** error);

/* The port of a socket that listens. */
guint16 web_port (GSocket * socket);

/* Calls a function whenever a condition of a socket is so. */
GSource *web_watch (GSocket * socket, GIOCondition condition,
    GSocketSourceFunc function, gpointer data);

/* Accepts a waiting connection; NULL if there is none, or if the process has
 * no descriptors left. */
GSocket *web_accept (GSocket * listener);

/* The IP address of the peer, without a port, for g_free(). */
gchar *web_address (GSocket * socket);

/* A server that leaves paths as they come. */
SoupServer *web_server_new (void);

/* Serves a connection with a number; ended() is called with farewell when
 * nothing of it is left. */
void web_serve (SoupServer * server, GSocket * socket, gsize number,
    gpointer farewell, GDestroyNotify ended);

/* The number of a request's connection. */
gsize web_number (SoupServerMessage * request);

/* Answers a request for a WebSocket, then calls opened() with data, which
 * released() is for. FALSE if the request is for none. */
gboolean web_upgrade (SoupServerMessage * request,
    void (*opened) (SoupServerMessage * request, gpointer data), gpointer data,
    GDestroyNotify released);

/* Sends what fits, and ends the connection both ways. */
void web_turn_away (GSocket * socket, const gchar * text);

/* The callbacks of a WebSocket, with their data. */
typedef struct
{
  /* A frame of an opcode came, with so many bytes. The code to close with, or
   * 0. */
  gint (*frame) (guint8 opcode, gsize bytes, gpointer data);
  void (*message) (SoupWebsocketConnection * socket, gint type,
      GBytes * message, gpointer data);
  void (*closed) (SoupWebsocketConnection * socket, gpointer data);
} WebSocketCallbacks;

/* Makes the connection of an upgraded request a WebSocket, with a limit for
 * the bytes of a message and a ping each so many seconds. */
SoupWebsocketConnection *web_socket_new (SoupServerMessage * request,
    guint message_bytes, guint ping_seconds, WebSocketCallbacks callbacks,
    gpointer data, GDestroyNotify released);

/* The socket below a WebSocket. */
GSocket *web_socket_below (SoupWebsocketConnection * socket);
