// What Swift cannot import of ncurses by itself.
#pragma once
// Without it, the wide-character functions are not declared.
#define NCURSES_WIDECHAR 1
// Functions instead of function-like macros, which are not imported.
#define NCURSES_NOMACROS 1
#include <ncurses.h>
#include <term.h>
#include <wchar.h>

// Not declared without _XOPEN_SOURCE, which would change other declarations.
extern int wcwidth(wchar_t);

// Not declared without _GNU_SOURCE; flag 1 closes the file in programs that are started.
extern int memfd_create(const char *, unsigned int);

// Cast macros are not imported.
static const attr_t cncurses_bold = A_BOLD;
static const attr_t cncurses_dim = A_DIM;
static const attr_t cncurses_reverse = A_REVERSE;
static const attr_t cncurses_underline = A_UNDERLINE;
static const attr_t cncurses_protect = A_PROTECT;
// Drawn by no terminal.
static const attr_t cncurses_horizontal = A_HORIZONTAL;

// Global variables are not safe in Swift's eyes; these are read on the screen's actor alone.
static inline WINDOW *cncurses_standard_window(void) { return stdscr; }
static inline WINDOW *cncurses_terminal_window(void) { return curscr; }
static inline int cncurses_colors(void) { return COLORS; }
static inline int cncurses_color_pairs(void) { return COLOR_PAIRS; }
// Name of a string capability in terminfo's own order; NULL behind the last.
static inline const char *cncurses_string_name(int index) { return strnames[index]; }

// `setcchar` with a colour pair beyond the range of its short parameter.
static inline int cncurses_set_cell(cchar_t *cell, const wchar_t *text, attr_t attributes, int pair) {
  return setcchar(cell, text, attributes, 0, &pair);
}

// The table of variables, which Swift may only read; set as a whole, it is never half of one.
extern char **environ;
static inline char **cncurses_environment(void) { return environ; }
static inline void cncurses_set_environment(char **table) { environ = table; }
