#pragma once

// Room for the commit of an installed program, in a section of its own of the program's file.
//
// A build leaves it empty, so that a new commit compiles and links nothing again. What installs or packs
// a program writes the commit into its copy (.ci/stamp), where `readelf -p .market.commit` shows it.
enum { BUILD_STAMP_SIZE = 64 };

// The bytes of that room, a C string.
const char *build_stamp(void);
