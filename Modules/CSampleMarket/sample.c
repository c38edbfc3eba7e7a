#include "CSampleMarket.h"

// The package's C dialect is older than #embed, which clang offers in every dialect.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char bytes[] = {
#embed "../../Resources/sample/sample.bin"
};

const unsigned char *CSampleMarket_bytes(void) { return bytes; }

size_t CSampleMarket_count(void) { return sizeof bytes; }

static const unsigned char english[] = {
#embed "../../Resources/sample/english.bin"
};

const unsigned char *CSampleMarket_englishBytes(void) { return english; }

size_t CSampleMarket_englishCount(void) { return sizeof english; }
