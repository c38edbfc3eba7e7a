#pragma once

// Before a program that links this begins, it has Swift Testing run three tests for each core at a time, however the
// runner is started: all at once, which is its default, would each wait for the others.
// Writing to a pipe without a reader is an error, as in all programs of this package, and no end of all tests.
