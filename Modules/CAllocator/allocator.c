#include "allocator.h"

#include <malloc.h>

void allocator_return_large_blocks(void) {
#ifdef M_MMAP_THRESHOLD
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 4 << 20);
  mallopt(M_TOP_PAD, 256 << 10);
  mallopt(M_ARENA_MAX, 2);
#endif
}
