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
static const unsigned char schema_personal_101_sql[] = {
#embed "../../Resources/schema/personal-101.sql"
};
static const unsigned char schema_postgres_1_sql[] = {
#embed "../../Resources/schema/postgres-1.sql"
};
static const unsigned char schema_postgres_2_sql[] = {
#embed "../../Resources/schema/postgres-2.sql"
};
static const unsigned char schema_postgres_3_sql[] = {
#embed "../../Resources/schema/postgres-3.sql"
};
static const unsigned char schema_postgres_4_sql[] = {
#embed "../../Resources/schema/postgres-4.sql"
};
static const unsigned char schema_postgres_5_sql[] = {
#embed "../../Resources/schema/postgres-5.sql"
};
static const unsigned char schema_postgres_6_sql[] = {
#embed "../../Resources/schema/postgres-6.sql"
};
static const unsigned char schema_postgres_7_sql[] = {
#embed "../../Resources/schema/postgres-7.sql"
};
static const unsigned char schema_postgres_8_sql[] = {
#embed "../../Resources/schema/postgres-8.sql"
};
static const unsigned char schema_postgres_9_sql[] = {
#embed "../../Resources/schema/postgres-9.sql"
};
static const unsigned char schema_postgres_10_sql[] = {
#embed "../../Resources/schema/postgres-10.sql"
};
static const unsigned char schema_postgres_11_sql[] = {
#embed "../../Resources/schema/postgres-11.sql"
};
static const unsigned char schema_postgres_12_sql[] = {
#embed "../../Resources/schema/postgres-12.sql"
};
static const unsigned char schema_postgres_13_sql[] = {
#embed "../../Resources/schema/postgres-13.sql"
};
static const unsigned char schema_postgres_14_sql[] = {
#embed "../../Resources/schema/postgres-14.sql"
};
static const unsigned char schema_postgres_15_sql[] = {
#embed "../../Resources/schema/postgres-15.sql"
};
static const unsigned char schema_store_1_sql[] = {
#embed "../../Resources/schema/store-1.sql"
};
static const unsigned char schema_store_2_sql[] = {
#embed "../../Resources/schema/store-2.sql"
};
static const unsigned char schema_store_3_sql[] = {
#embed "../../Resources/schema/store-3.sql"
};
static const unsigned char schema_store_4_sql[] = {
#embed "../../Resources/schema/store-4.sql"
};
static const unsigned char schema_store_5_sql[] = {
#embed "../../Resources/schema/store-5.sql"
};
static const unsigned char schema_store_6_sql[] = {
#embed "../../Resources/schema/store-6.sql"
};
static const unsigned char schema_store_7_sql[] = {
#embed "../../Resources/schema/store-7.sql"
};
static const unsigned char schema_store_8_sql[] = {
#embed "../../Resources/schema/store-8.sql"
};
static const unsigned char schema_store_9_sql[] = {
#embed "../../Resources/schema/store-9.sql"
};
static const unsigned char schema_store_10_sql[] = {
#embed "../../Resources/schema/store-10.sql"
};
static const unsigned char schema_store_11_sql[] = {
#embed "../../Resources/schema/store-11.sql"
};
static const unsigned char schema_store_12_sql[] = {
#embed "../../Resources/schema/store-12.sql"
};
static const unsigned char schema_store_13_sql[] = {
#embed "../../Resources/schema/store-13.sql"
};
static const unsigned char schema_store_14_sql[] = {
#embed "../../Resources/schema/store-14.sql"
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
    {"schema/personal-101.sql", schema_personal_101_sql, sizeof schema_personal_101_sql},
    {"schema/postgres-1.sql", schema_postgres_1_sql, sizeof schema_postgres_1_sql},
    {"schema/postgres-2.sql", schema_postgres_2_sql, sizeof schema_postgres_2_sql},
    {"schema/postgres-3.sql", schema_postgres_3_sql, sizeof schema_postgres_3_sql},
    {"schema/postgres-4.sql", schema_postgres_4_sql, sizeof schema_postgres_4_sql},
    {"schema/postgres-5.sql", schema_postgres_5_sql, sizeof schema_postgres_5_sql},
    {"schema/postgres-6.sql", schema_postgres_6_sql, sizeof schema_postgres_6_sql},
    {"schema/postgres-7.sql", schema_postgres_7_sql, sizeof schema_postgres_7_sql},
    {"schema/postgres-8.sql", schema_postgres_8_sql, sizeof schema_postgres_8_sql},
    {"schema/postgres-9.sql", schema_postgres_9_sql, sizeof schema_postgres_9_sql},
    {"schema/postgres-10.sql", schema_postgres_10_sql, sizeof schema_postgres_10_sql},
    {"schema/postgres-11.sql", schema_postgres_11_sql, sizeof schema_postgres_11_sql},
    {"schema/postgres-12.sql", schema_postgres_12_sql, sizeof schema_postgres_12_sql},
    {"schema/postgres-13.sql", schema_postgres_13_sql, sizeof schema_postgres_13_sql},
    {"schema/postgres-14.sql", schema_postgres_14_sql, sizeof schema_postgres_14_sql},
    {"schema/postgres-15.sql", schema_postgres_15_sql, sizeof schema_postgres_15_sql},
    {"schema/store-1.sql", schema_store_1_sql, sizeof schema_store_1_sql},
    {"schema/store-2.sql", schema_store_2_sql, sizeof schema_store_2_sql},
    {"schema/store-3.sql", schema_store_3_sql, sizeof schema_store_3_sql},
    {"schema/store-4.sql", schema_store_4_sql, sizeof schema_store_4_sql},
    {"schema/store-5.sql", schema_store_5_sql, sizeof schema_store_5_sql},
    {"schema/store-6.sql", schema_store_6_sql, sizeof schema_store_6_sql},
    {"schema/store-7.sql", schema_store_7_sql, sizeof schema_store_7_sql},
    {"schema/store-8.sql", schema_store_8_sql, sizeof schema_store_8_sql},
    {"schema/store-9.sql", schema_store_9_sql, sizeof schema_store_9_sql},
    {"schema/store-10.sql", schema_store_10_sql, sizeof schema_store_10_sql},
    {"schema/store-11.sql", schema_store_11_sql, sizeof schema_store_11_sql},
    {"schema/store-12.sql", schema_store_12_sql, sizeof schema_store_12_sql},
    {"schema/store-13.sql", schema_store_13_sql, sizeof schema_store_13_sql},
    {"schema/store-14.sql", schema_store_14_sql, sizeof schema_store_14_sql},
};

const unsigned char *resource_bytes(const char *path, size_t *count) {
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    if (strcmp(files[i].path, path) != 0) continue;
    *count = files[i].count;
    return files[i].bytes;
  }
  return NULL;
}
