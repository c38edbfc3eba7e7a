// The functions of the picture libraries that are used, each of which opens its library when it is called
// for the first time: the libraries take a tenth of what a start takes before `main`, and a run without
// pictures needs none. A library that is not installed fails as it does for a picture that is none.
#include <dlfcn.h>
#include <gif_lib.h>
#include <lcms2.h>
#include <libheif/heif.h>
#include <png.h>
#include <stdatomic.h>
#include <turbojpeg.h>
#include <webp/decode.h>
#include <zlib.h>

#define JPEG "libturbojpeg.so.0"
#define PNG "libpng16.so.16"
#define WEBP "libwebp.so.7"
#define GIF "libgif.so.7"
#define ZLIB "libz.so.1"
#define COLOR "liblcms2.so.2"
#define HEIF "libheif.so.1"

static void *find(const char *library, const char *name) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  return handle ? dlsym(handle, name) : 0;
}

// Defines a function as its header declares it, which checks the parameters.
#define OPENED(LIBRARY, FAILURE, TYPE, NAME, PARAMETERS, ARGUMENTS)                \
  TYPE NAME PARAMETERS {                                                           \
    static _Atomic(void *) address;                                                \
    void *function = atomic_load_explicit(&address, memory_order_acquire);         \
    if (!function) {                                                               \
      function = find(LIBRARY, #NAME);                                             \
      atomic_store_explicit(&address, function, memory_order_release);             \
    }                                                                              \
    if (!function) return FAILURE;                                                 \
    return ((__typeof__(&NAME))function)ARGUMENTS;                                 \
  }

OPENED(JPEG, 0, tjhandle, tjInitDecompress, (void), ())
OPENED(JPEG, 0, tjhandle, tjInitCompress, (void), ())
OPENED(JPEG, 0, tjhandle, tjInitTransform, (void), ())
OPENED(JPEG, -1, int, tjDestroy, (tjhandle handle), (handle))
OPENED(JPEG, , void, tjFree, (unsigned char *bytes), (bytes))
OPENED(JPEG, TJERR_FATAL, int, tjGetErrorCode, (tjhandle handle), (handle))
OPENED(JPEG, -1, int, tjDecompressHeader3,
       (tjhandle handle, const unsigned char *bytes, unsigned long count, int *width, int *height,
        int *subsampling, int *space),
       (handle, bytes, count, width, height, subsampling, space))
OPENED(JPEG, -1, int, tjDecompress2,
       (tjhandle handle, const unsigned char *bytes, unsigned long count, unsigned char *target,
        int width, int pitch, int height, int format, int flags),
       (handle, bytes, count, target, width, pitch, height, format, flags))
OPENED(JPEG, -1, int, tjCompress2,
       (tjhandle handle, const unsigned char *pixels, int width, int pitch, int height, int format,
        unsigned char **bytes, unsigned long *count, int subsampling, int quality, int flags),
       (handle, pixels, width, pitch, height, format, bytes, count, subsampling, quality, flags))
OPENED(JPEG, -1, int, tjTransform,
       (tjhandle handle, const unsigned char *bytes, unsigned long count, int transforms,
        unsigned char **targets, unsigned long *counts, tjtransform *transform, int flags),
       (handle, bytes, count, transforms, targets, counts, transform, flags))

OPENED(PNG, 0, int, png_image_begin_read_from_memory,
       (png_imagep image, png_const_voidp bytes, size_t count), (image, bytes, count))
OPENED(PNG, 0, int, png_image_finish_read,
       (png_imagep image, png_const_colorp background, void *target, png_int_32 pitch, void *map),
       (image, background, target, pitch, map))
OPENED(PNG, 0, int, png_image_write_to_memory,
       (png_imagep image, void *target, png_alloc_size_t *PNG_RESTRICT count, int reduces,
        const void *pixels, png_int_32 pitch, const void *map),
       (image, target, count, reduces, pixels, pitch, map))
OPENED(PNG, , void, png_image_free, (png_imagep image), (image))

// WebPInitDecoderConfig is of the header, and calls the first.
OPENED(WEBP, 0, int, WebPInitDecoderConfigInternal, (WebPDecoderConfig *config, int version),
       (config, version))
OPENED(WEBP, VP8_STATUS_SUSPENDED, VP8StatusCode, WebPDecode,
       (const uint8_t *bytes, size_t count, WebPDecoderConfig *config), (bytes, count, config))

OPENED(GIF, 0, GifFileType *, DGifOpen, (void *context, InputFunc read, int *error),
       (context, read, error))
OPENED(GIF, GIF_ERROR, int, DGifCloseFile, (GifFileType *file, int *error), (file, error))
OPENED(GIF, GIF_ERROR, int, DGifGetImageDesc, (GifFileType *file), (file))
OPENED(GIF, GIF_ERROR, int, DGifGetLine, (GifFileType *file, GifPixelType *line, int count),
       (file, line, count))
OPENED(GIF, GIF_ERROR, int, DGifGetRecordType, (GifFileType *file, GifRecordType *type),
       (file, type))
OPENED(GIF, GIF_ERROR, int, DGifGetExtension, (GifFileType *file, int *label, GifByteType **block),
       (file, label, block))
OPENED(GIF, GIF_ERROR, int, DGifGetExtensionNext, (GifFileType *file, GifByteType **block),
       (file, block))

OPENED(ZLIB, Z_MEM_ERROR, int, uncompress,
       (Bytef * target, uLongf *length, const Bytef *bytes, uLong count),
       (target, length, bytes, count))

OPENED(COLOR, 0, cmsHPROFILE, cmsOpenProfileFromMem, (const void *bytes, cmsUInt32Number count),
       (bytes, count))
OPENED(COLOR, 0, cmsHPROFILE, cmsCreateRGBProfile,
       (const cmsCIExyY *white, const cmsCIExyYTRIPLE *primaries, cmsToneCurve *const curves[3]),
       (white, primaries, curves))
OPENED(COLOR, 0, cmsHPROFILE, cmsCreate_sRGBProfile, (void), ())
OPENED(COLOR, 0, cmsBool, cmsCloseProfile, (cmsHPROFILE profile), (profile))
OPENED(COLOR, 0, cmsColorSpaceSignature, cmsGetColorSpace, (cmsHPROFILE profile), (profile))
OPENED(COLOR, 0, cmsToneCurve *, cmsBuildTabulatedToneCurve16,
       (cmsContext context, cmsUInt32Number count, const cmsUInt16Number values[]),
       (context, count, values))
OPENED(COLOR, , void, cmsFreeToneCurve, (cmsToneCurve * curve), (curve))
OPENED(COLOR, 0, cmsHTRANSFORM, cmsCreateTransform,
       (cmsHPROFILE input, cmsUInt32Number inputFormat, cmsHPROFILE output,
        cmsUInt32Number outputFormat, cmsUInt32Number intent, cmsUInt32Number flags),
       (input, inputFormat, output, outputFormat, intent, flags))
OPENED(COLOR, , void, cmsDoTransform,
       (cmsHTRANSFORM transform, const void *source, void *target, cmsUInt32Number count),
       (transform, source, target, count))
OPENED(COLOR, , void, cmsDeleteTransform, (cmsHTRANSFORM transform), (transform))

#define NO_HEIF ((struct heif_error){.code = heif_error_Unsupported_feature, .message = ""})

OPENED(HEIF, NO_HEIF, struct heif_error, heif_init, (struct heif_init_params * parameters),
       (parameters))
OPENED(HEIF, 0, struct heif_context *, heif_context_alloc, (void), ())
OPENED(HEIF, , void, heif_context_free, (struct heif_context * context), (context))
OPENED(HEIF, , void, heif_context_set_max_decoding_threads,
       (struct heif_context * context, int count), (context, count))
OPENED(HEIF, NO_HEIF, struct heif_error, heif_context_read_from_memory_without_copy,
       (struct heif_context * context, const void *bytes, size_t count,
        const struct heif_reading_options *options),
       (context, bytes, count, options))
OPENED(HEIF, NO_HEIF, struct heif_error, heif_context_get_primary_image_handle,
       (struct heif_context * context, struct heif_image_handle **handle), (context, handle))
OPENED(HEIF, , void, heif_image_handle_release, (const struct heif_image_handle *handle), (handle))
OPENED(HEIF, 0, int, heif_image_handle_get_width, (const struct heif_image_handle *handle),
       (handle))
OPENED(HEIF, 0, int, heif_image_handle_get_height, (const struct heif_image_handle *handle),
       (handle))
OPENED(HEIF, 0, int, heif_image_handle_has_alpha_channel,
       (const struct heif_image_handle *handle), (handle))
OPENED(HEIF, -1, int, heif_image_handle_get_luma_bits_per_pixel,
       (const struct heif_image_handle *handle), (handle))
OPENED(HEIF, 0, int, heif_image_handle_get_list_of_thumbnail_IDs,
       (const struct heif_image_handle *handle, heif_item_id *ids, int count),
       (handle, ids, count))
OPENED(HEIF, NO_HEIF, struct heif_error, heif_image_handle_get_thumbnail,
       (const struct heif_image_handle *handle, heif_item_id id,
        struct heif_image_handle **thumbnail),
       (handle, id, thumbnail))
OPENED(HEIF, 0, size_t, heif_image_handle_get_raw_color_profile_size,
       (const struct heif_image_handle *handle), (handle))
OPENED(HEIF, NO_HEIF, struct heif_error, heif_image_handle_get_raw_color_profile,
       (const struct heif_image_handle *handle, void *target), (handle, target))
OPENED(HEIF, NO_HEIF, struct heif_error, heif_image_handle_get_nclx_color_profile,
       (const struct heif_image_handle *handle, struct heif_color_profile_nclx **profile),
       (handle, profile))
OPENED(HEIF, NO_HEIF, struct heif_error, heif_image_get_nclx_color_profile,
       (const struct heif_image *image, struct heif_color_profile_nclx **profile), (image, profile))
OPENED(HEIF, , void, heif_nclx_color_profile_free, (struct heif_color_profile_nclx * profile),
       (profile))
OPENED(HEIF, NO_HEIF, struct heif_error, heif_decode_image,
       (const struct heif_image_handle *handle, struct heif_image **image,
        enum heif_colorspace space, enum heif_chroma chroma,
        const struct heif_decoding_options *options),
       (handle, image, space, chroma, options))
OPENED(HEIF, , void, heif_image_release, (const struct heif_image *image), (image))
OPENED(HEIF, 0, int, heif_image_get_width, (const struct heif_image *image, enum heif_channel channel),
       (image, channel))
OPENED(HEIF, 0, int, heif_image_get_height,
       (const struct heif_image *image, enum heif_channel channel), (image, channel))
OPENED(HEIF, -1, int, heif_image_get_bits_per_pixel_range,
       (const struct heif_image *image, enum heif_channel channel), (image, channel))
OPENED(HEIF, 0, const uint8_t *, heif_image_get_plane_readonly,
       (const struct heif_image *image, enum heif_channel channel, int *stride),
       (image, channel, stride))
