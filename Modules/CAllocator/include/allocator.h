#pragma once

/// Makes large blocks of memory, such as pictures, go back to the system as soon as they are freed; to
/// be called before there are threads.
///
/// By itself glibc takes blocks as large as the largest one that was freed from its heaps, of which each
/// thread has its own, and there they stay after they are freed (see mallopt(3), `M_MMAP_THRESHOLD`).
/// Frames are smaller and come from heaps that keep some room: whoever maps memory waits for another
/// thread that gives back a photo's.
void allocator_return_large_blocks(void);

/// Brings in the memory that every start writes to, at once instead of page by page, for which the
/// kernel would stop the program some three hundred times; to be called before there are threads.
///
/// Systems before Linux 5.14 do nothing.
void allocator_bring_in_first_pages(void);
