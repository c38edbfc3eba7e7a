// Gives the terminal back when the process dies of a signal.
//
// This is C because a signal handler may call async-signal-safe functions only and finds its data in
// static memory alone.
#pragma once
#include <stddef.h>
#include <termios.h>

// Remembers what to write to `fd` and which modes to set, and catches the signals that kill.
// Where `fd` does not block, a terminal that takes no output holds up the end for a tenth of a second only.
// At most 512 bytes are kept. Returns 0, or -1 where the bytes do not fit.
int terminal_guard_arm(int fd, const struct termios *modes, const unsigned char *bytes, size_t count);

// Writes the bytes and sets the modes once; nothing happens until it is armed again.
void terminal_guard_restore(void);

// Whether the terminal owes an answer, expected within `time` milliseconds: then the end also waits for the
// last one (DA1), half a second at most, read from `input`, so that the shell does not get it as keys; with
// `asks` that question is sent first. -1 for `input` where none is due.
void terminal_guard_await(int input, int asks, int time);

// Takes signals over: from now on each one that comes can be read, as a byte with its number, from the
// descriptor that is returned; -1 where there is none, and the signals keep their effect.
//
// They can be read in the order in which they came, which a source of Dispatch for each would not promise:
// whether a stop or its end came last matters.
int terminal_guard_watch(const int *signals, int count);
