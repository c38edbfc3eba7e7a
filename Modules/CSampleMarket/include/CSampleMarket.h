#ifndef CSAMPLEMARKET_H
#define CSAMPLEMARKET_H

#include <stddef.h>

// The packed sample market. Functions, because Swift does not import an array of unknown length.

const unsigned char *CSampleMarket_bytes(void);

size_t CSampleMarket_count(void);

// What differs in English.

const unsigned char *CSampleMarket_englishBytes(void);

size_t CSampleMarket_englishCount(void);

#endif
