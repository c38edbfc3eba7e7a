#pragma once
// What Swift's module of the C library leaves out of Linux.
#include <sys/epoll.h>
#include <sys/eventfd.h>

struct sockaddr;

// A declaration, since the system's own one hangs on a macro that Swift does not set.
int accept4(int listener, struct sockaddr *address, unsigned int *length, int flags);

// Swift knows the address by another module, so that it comes without its type.
static inline int CEpoll_accept(int listener, void *address, unsigned int *length, int flags) {
  return accept4(listener, (struct sockaddr *)address, length, flags);
}
