#include "build_stamp.h"

// Volatile, since the bytes change behind the compiler's back.
__attribute__((section(".market.commit"), used))
static const volatile char stamp[BUILD_STAMP_SIZE] = "";

const char *build_stamp(void) { return (const char *)stamp; }
