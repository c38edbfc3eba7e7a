#ifndef CRESOURCES_H
#define CRESOURCES_H

#include <stddef.h>

// The bytes of a file of `Resources` by its path there, and their count; NULL where it is not embedded.
const unsigned char *resource_bytes(const char *path, size_t *count);

#endif
