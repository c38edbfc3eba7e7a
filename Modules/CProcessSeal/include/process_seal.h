// Closes the ways out of a process for good: to other programs, and to the memory of its neighbours.
//
// This is C because the filter is made of macros and of the processor's own numbers of system calls.
#pragma once

// Keeps other processes of the same user from reading this one's memory and files of /proc
// (PR_SET_DUMPABLE in prctl(2)). Returns 0, or -1 with errno.
int process_seal_memory(void);

// From now on no socket is made; those that are open go on. Returns 0, or -1 with errno.
int process_seal_network(void);

// From now on no program is started, no process made and no other process looked into (seccomp(2)); threads
// go on as before. Returns 0, or -1 with errno where the system has no filters or the processor is unknown.
int process_seal_programs(void);

// From now on the process computes: it reads and writes what is open, and gets memory and threads. It opens
// nothing, and neither blocks nor handles a signal. Returns 0, or -1 with errno as above.
int process_seal_decoder(void);
