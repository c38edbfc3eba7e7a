#pragma once

/// Encodes a text as the smallest QR code with error correction level M.
///
/// Returns `width * width` bytes, row by row, of which the lowest bit says whether the module is dark,
/// to be passed to free(3); null where the text does not fit or libqrencode is not installed.
unsigned char *qr_code_modules(const char *text, int *width);
