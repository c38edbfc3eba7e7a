// The library is opened at the first code: few runs show one.
#include "CQRCode.h"

#include <dlfcn.h>
#include <qrencode.h>
#include <stdlib.h>
#include <string.h>

unsigned char *qr_code_modules(const char *text, int *width) {
  void *library = dlopen("libqrencode.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
  __typeof__(&QRcode_encodeString) encode = dlsym(library, "QRcode_encodeString");
  __typeof__(&QRcode_free) release = dlsym(library, "QRcode_free");
  if (!encode || !release) return 0;
  // Capitals and digits are recognized within the text, and take less room.
  QRcode *code = encode(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1);
  if (!code) return 0;
  size_t count = (size_t)code->width * (size_t)code->width;
  unsigned char *modules = malloc(count);
  if (modules) memcpy(modules, code->data, count);
  *width = code->width;
  release(code);
  return modules;
}
