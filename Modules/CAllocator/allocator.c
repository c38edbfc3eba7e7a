#define _GNU_SOURCE
#include "allocator.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

void allocator_return_large_blocks(void) {
#ifdef M_MMAP_THRESHOLD
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 4 << 20);
  mallopt(M_TOP_PAD, 256 << 10);
  // A second arena grows by a call to the system for each page; few threads of a screen allocate at once.
  mallopt(M_ARENA_MAX, 1);
#endif
}

#ifdef MADV_POPULATE_WRITE
// The linker's and the C library's names for where a program's own memory begins and ends.
extern char __data_start[], __bss_start[], _end[];

static void bring_in(char *begin, char *end) {
  uintptr_t page = 4096;
  uintptr_t first = (uintptr_t)begin & ~(page - 1);
  // Older systems do not know it, and then each page comes when it is used.
  madvise((void *)first, (uintptr_t)end - first, MADV_POPULATE_WRITE);
}
#endif

void allocator_bring_in_first_pages(void) {
#ifdef MADV_POPULATE_WRITE
  // Where the runtime writes what it learns of types; constants follow, of which a program may have much.
  size_t written = 352 << 10;
  char *end = (size_t)(_end - __data_start) < written ? _end : __data_start + written;
  bring_in(__data_start, end);
  bring_in(__bss_start, _end);
  size_t heap = 384 << 10;
  char *block = malloc(heap);
  if (block) bring_in(block, block + heap - 4096);
  free(block);
#endif
}
