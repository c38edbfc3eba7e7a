#include "test_runner.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((constructor)) static void prepare(void) {
  signal(SIGPIPE, SIG_IGN);
  char width[16];
  snprintf(width, sizeof width, "%ld", 3 * sysconf(_SC_NPROCESSORS_ONLN));
  setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", width, 0);
}
