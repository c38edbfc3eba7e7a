#pragma once
#include <seccomp.h>
#include <sys/prctl.h>

// SCMP_ACT_ERRNO is a macro with a parameter, which Swift does not import.
static inline uint32_t CSeccomp_refuse(int error) { return SCMP_ACT_ERRNO(error); }

// So is SCMP_ACT_KILL_PROCESS a number that Swift reads as negative.
static const uint32_t CSeccomp_kill_process = SCMP_ACT_KILL_PROCESS;
static const uint32_t CSeccomp_allow = SCMP_ACT_ALLOW;

// prctl is variadic.
static inline int CSeccomp_make_non_dumpable(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
