#pragma once
#include <microhttpd.h>
#include <netinet/in.h>
#include <sys/socket.h>

// MHD_start_daemon is variadic, which Swift does not import.
static inline struct MHD_Daemon *CMicrohttpd_start(
    unsigned int flags, MHD_socket listener, unsigned int threads, unsigned int connections,
    unsigned int timeout_seconds, size_t connection_memory, void *context,
    MHD_AccessHandlerCallback handle,
    void *(*begin)(void *, const char *, struct MHD_Connection *),
    MHD_RequestCompletedCallback end, MHD_NotifyConnectionCallback notice) {
  return MHD_start_daemon(
      flags, 0, NULL, NULL, handle, context, MHD_OPTION_LISTEN_SOCKET, listener,
      MHD_OPTION_THREAD_POOL_SIZE, threads, MHD_OPTION_CONNECTION_LIMIT, connections,
      MHD_OPTION_CONNECTION_TIMEOUT, timeout_seconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
      connection_memory, MHD_OPTION_STRICT_FOR_CLIENT, 1,
      MHD_OPTION_URI_LOG_CALLBACK, begin, context, MHD_OPTION_NOTIFY_COMPLETED, end, context,
      MHD_OPTION_NOTIFY_CONNECTION, notice, context, MHD_OPTION_END);
}

// MHD_get_connection_info is variadic too, and answers a union.
static inline const struct sockaddr *CMicrohttpd_peer(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info ? info->client_addr : NULL;
}

static inline MHD_socket CMicrohttpd_descriptor(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : MHD_INVALID_SOCKET;
}

static inline void *CMicrohttpd_socket_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}
