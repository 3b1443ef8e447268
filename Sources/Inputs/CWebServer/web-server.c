/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* Connections and WebSocket frames, shown and ended outside libsoup. */

#include "web-server.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>

/* -- connections ---------------------------------------------------------- */

GSocket *
web_listen (const gchar * address, guint16 port, GError ** error)
{
  GSocketAddress *place = g_inet_socket_address_new_from_string (address, port);
  GSocket *socket;

  if (place == NULL) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
        "no address");
    return NULL;
  }
  socket = g_socket_new (g_socket_address_get_family (place),
      G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, error);
  if (socket != NULL) {
    g_socket_set_blocking (socket, FALSE);
    g_socket_set_listen_backlog (socket, SOMAXCONN);
    if (!g_socket_bind (socket, place, TRUE, error)
        || !g_socket_listen (socket, error))
      g_clear_object (&socket);
  }
  g_object_unref (place);
  return socket;
}

guint16
web_port (GSocket * socket)
{
  GSocketAddress *address = g_socket_get_local_address (socket, NULL);
  guint16 port = 0;

  if (address != NULL)
    port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (address));
  g_clear_object (&address);
  return port;
}

GSource *
web_watch (GSocket * socket, GIOCondition condition,
    GSocketSourceFunc function, gpointer data)
{
  GSource *source = g_socket_create_source (socket, condition, NULL);

  g_source_set_callback (source, G_SOURCE_FUNC (function), data, NULL);
  g_source_attach (source, g_main_context_get_thread_default ());
  return source;
}

GSocket *
web_accept (GSocket * listener)
{
  GSocket *socket = g_socket_accept (listener, NULL, NULL);

  /* Messages are short, and should not wait for more. */
  if (socket != NULL)
    g_socket_set_option (socket, IPPROTO_TCP, TCP_NODELAY, TRUE, NULL);
  return socket;
}

gchar *
web_address (GSocket * socket)
{
  GSocketAddress *address = g_socket_get_remote_address (socket, NULL);
  gchar *digits = NULL;

  if (address != NULL)
    digits = g_inet_address_to_string (g_inet_socket_address_get_address
        (G_INET_SOCKET_ADDRESS (address)));
  g_clear_object (&address);
  return digits;
}

void
web_turn_away (GSocket * socket, const gchar * text)
{
  g_socket_send_with_blocking (socket, text, strlen (text), FALSE, NULL, NULL);
  g_socket_shutdown (socket, TRUE, TRUE, NULL);
}

/* -- requests ------------------------------------------------------------- */

SoupServer *
web_server_new (void)
{
  return g_object_new (SOUP_TYPE_SERVER, "raw-paths", TRUE, NULL);
}

void
web_serve (SoupServer * server, GSocket * socket, gsize number,
    gpointer farewell, GDestroyNotify ended)
{
  GSocketConnection *connection =
      g_socket_connection_factory_create_connection (socket);
  GSocketAddress *local = g_socket_get_local_address (socket, NULL);
  GSocketAddress *remote = g_socket_get_remote_address (socket, NULL);

  g_object_set_data_full (G_OBJECT (connection), "farewell", farewell, ended);
  if (local != NULL && remote != NULL) {
    /* The one thing of ours that a request has. */
    g_object_set_data (G_OBJECT (remote), "number", GSIZE_TO_POINTER (number));
    g_object_set_data_full (G_OBJECT (remote), "socket", g_object_ref (socket),
        g_object_unref);
    soup_server_accept_iostream (server, G_IO_STREAM (connection), local,
        remote, NULL);
  }
  g_clear_object (&local);
  g_clear_object (&remote);
  g_object_unref (connection);
}

gsize
web_number (SoupServerMessage * request)
{
  GSocketAddress *remote = soup_server_message_get_remote_address (request);

  return GPOINTER_TO_SIZE (g_object_get_data (G_OBJECT (remote), "number"));
}

gboolean
web_upgrade (SoupServerMessage * request,
    void (*opened) (SoupServerMessage * request, gpointer data), gpointer data,
    GDestroyNotify released)
{
  if (!soup_websocket_server_process_handshake (request, NULL, NULL, NULL,
          NULL)) {
    released (data);
    return FALSE;
  }
  g_object_set_data_full (G_OBJECT (request), "client", data, released);
  g_signal_connect (request, "wrote-informational", G_CALLBACK (opened), data);
  return TRUE;
}

/* -- WebSockets ----------------------------------------------------------- */

/* An extension that changes nothing. It shows each frame before libsoup puts
 * messages together, however many frames they have, and answers pings,
 * however many of the answers are still to be sent. */
G_DECLARE_FINAL_TYPE (FrameWatch, frame_watch, FRAME, WATCH,
    SoupWebsocketExtension);
struct _FrameWatch
{
  SoupWebsocketExtension parent;
  WebSocketCallbacks callbacks;
  gpointer data;
};

G_DEFINE_FINAL_TYPE (FrameWatch, frame_watch, SOUP_TYPE_WEBSOCKET_EXTENSION);

static GBytes *
watch_frame (SoupWebsocketExtension * extension, guint8 * header,
    GBytes * payload, GError ** error)
{
  FrameWatch *self = FRAME_WATCH (extension);
  gint code = self->callbacks.frame (*header & 0x0F,
      g_bytes_get_size (payload), self->data);

  if (code == 0)
    return payload;
  g_set_error_literal (error, SOUP_WEBSOCKET_ERROR, code, "too much");
  g_bytes_unref (payload);
  return NULL;
}

static void
frame_watch_class_init (FrameWatchClass * class)
{
  SOUP_WEBSOCKET_EXTENSION_CLASS (class)->process_incoming_message =
      watch_frame;
}

static void
frame_watch_init (FrameWatch * self)
{
}

GSocket *
web_socket_below (SoupWebsocketConnection * socket)
{
  return g_object_get_data (G_OBJECT (socket), "socket");
}

/* libsoup says why, and closes the descriptor. */
static void
on_error (SoupWebsocketConnection * socket, GError * error, gpointer data)
{
  gchar buffer[4096];

  /* But where a frame is too long, it does not say so. */
  if (g_error_matches (error, SOUP_WEBSOCKET_ERROR,
          SOUP_WEBSOCKET_CLOSE_TOO_BIG)
      && soup_websocket_connection_get_state (socket) ==
      SOUP_WEBSOCKET_STATE_OPEN)
    soup_websocket_connection_close (socket, SOUP_WEBSOCKET_CLOSE_TOO_BIG,
        NULL);
  /* While anything is unread, a close takes away what was sent. */
  for (guint i = 0; i < 16; i++)
    if (g_socket_receive_with_blocking (web_socket_below (socket), buffer,
            sizeof (buffer), FALSE, NULL, NULL) <= 0)
      break;
}

SoupWebsocketConnection *
web_socket_new (SoupServerMessage * request, guint message_bytes,
    guint ping_seconds, WebSocketCallbacks callbacks, gpointer data,
    GDestroyNotify released)
{
  GSocketAddress *remote = soup_server_message_get_remote_address (request);
  GSocket *connection = g_object_get_data (G_OBJECT (remote), "socket");
  GIOStream *stream = soup_server_message_steal_connection (request);
  FrameWatch *watch = g_object_new (frame_watch_get_type (), NULL);
  /* The list and what is in it become the socket's. */
  SoupWebsocketConnection *socket = soup_websocket_connection_new (stream,
      soup_server_message_get_uri (request), SOUP_WEBSOCKET_CONNECTION_SERVER,
      NULL, NULL, g_list_append (NULL, watch));

  watch->callbacks = callbacks;
  watch->data = data;
  soup_websocket_connection_set_max_incoming_payload_size (socket,
      message_bytes);
  soup_websocket_connection_set_keepalive_interval (socket, ping_seconds);
  g_object_set_data_full (G_OBJECT (socket), "data", data, released);
  g_object_set_data_full (G_OBJECT (socket), "socket",
      g_object_ref (connection), g_object_unref);
  g_signal_connect (socket, "error", G_CALLBACK (on_error), NULL);
  g_signal_connect (socket, "message", G_CALLBACK (callbacks.message), data);
  g_signal_connect (socket, "closed", G_CALLBACK (callbacks.closed), data);
  g_object_unref (stream);
  return socket;
}
