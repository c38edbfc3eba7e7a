#include "CResources.h"

#include <string.h>

// The package's C dialect is older than #embed, which clang offers in every dialect.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char version_txt[] = {
#embed "../../Resources/version.txt"
};
static const unsigned char strings_en_txt[] = {
#embed "../../Resources/strings/en.txt"
};
static const unsigned char strings_ko_txt[] = {
#embed "../../Resources/strings/ko.txt"
};
static const unsigned char palette_words_txt[] = {
#embed "../../Resources/palette/words.txt"
};
static const unsigned char pages_icon_svg[] = {
#embed "../../Resources/pages/icon.svg"
};
static const unsigned char pages_style_css[] = {
#embed "../../Resources/pages/style.css"
};
static const unsigned char pages_upload_js[] = {
#embed "../../Resources/pages/upload.js"
};
static const unsigned char schema_personal_101_sql[] = {
#embed "../../Resources/schema/personal-101.sql"
};
static const unsigned char schema_postgres_101_sql[] = {
#embed "../../Resources/schema/postgres-101.sql"
};
static const unsigned char schema_store_101_sql[] = {
#embed "../../Resources/schema/store-101.sql"
};

static const struct {
  const char *path;
  const unsigned char *bytes;
  size_t count;
} files[] = {
    {"version.txt", version_txt, sizeof version_txt},
    {"strings/en.txt", strings_en_txt, sizeof strings_en_txt},
    {"strings/ko.txt", strings_ko_txt, sizeof strings_ko_txt},
    {"palette/words.txt", palette_words_txt, sizeof palette_words_txt},
    {"pages/icon.svg", pages_icon_svg, sizeof pages_icon_svg},
    {"pages/style.css", pages_style_css, sizeof pages_style_css},
    {"pages/upload.js", pages_upload_js, sizeof pages_upload_js},
    {"schema/personal-101.sql", schema_personal_101_sql, sizeof schema_personal_101_sql},
    {"schema/postgres-101.sql", schema_postgres_101_sql, sizeof schema_postgres_101_sql},
    {"schema/store-101.sql", schema_store_101_sql, sizeof schema_store_101_sql},
};

const unsigned char *resource_bytes(const char *path, size_t *count) {
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    if (strcmp(files[i].path, path) != 0) continue;
    *count = files[i].count;
    return files[i].bytes;
  }
  return NULL;
}
