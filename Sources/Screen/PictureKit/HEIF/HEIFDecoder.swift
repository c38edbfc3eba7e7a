internal import CHeif
package import MarketModel

/// Picture of a HEIC or AVIF file: upright pixels in the file's colors.
package struct HEIFPicture {
  let pixels: RawPixels
  let colors: ColorDescription?
}

/// Decoder of HEIC and AVIF through libheif: the primary picture, rotated and mirrored by its boxes.
///
/// libheif and its codecs allocate before their limits are known, so that it runs in a process that
/// has limits of its own and does nothing else.
package enum HEIFDecoder {
  /// Maximum pixels of a picture: libheif holds it twice, in 4.5 bytes a pixel.
  package static let maxPixels = 52_000_000
  /// Maximum pixels of the result; a larger picture is halved until it has no more.
  private static let maxResult = 16_000_000
  /// Minimum pixels of the longer side of a thumbnail that stands for a picture which is too large.
  private static let minThumbnail = 1_000

  /// Opens libheif and its codecs; false where they are not installed.
  package static func open() -> Bool { heif_init(nil).code == heif_error_Ok }

  /// Decodes a file.
  ///
  /// - Throws: `.undecodable` for broken data; `.tooLarge` beyond `maxPixels`.
  package static func decode(_ bytes: [UInt8]) throws(PictureError) -> HEIFPicture {
    guard let context = heif_context_alloc() else { throw .tooLarge }
    defer { heif_context_free(context) }
    // Tiles are decoded one after the other, which needs the memory of one.
    heif_context_set_max_decoding_threads(context, 0)
    var result: Result<HEIFPicture, PictureError> = .failure(.undecodable)
    bytes.withUnsafeBytes { file in
      var primary: OpaquePointer?
      guard
        heif_context_read_from_memory_without_copy(context, file.baseAddress, file.count, nil)
          .isFine, heif_context_get_primary_image_handle(context, &primary).isFine,
        let primary
      else { return }
      defer { heif_image_handle_release(primary) }
      result = Result { () throws(PictureError) in try decode(handle: primary) }
    }
    return try result.get()
  }

  private static func decode(handle: OpaquePointer) throws(PictureError) -> HEIFPicture {
    let size = size(of: handle)
    guard size.width > 0, size.height > 0 else { throw .undecodable }
    guard size.pixelCount > maxPixels else { return try picture(of: handle, colorsOf: handle) }
    guard let thumbnail = thumbnail(of: handle, size) else { throw .tooLarge }
    defer { heif_image_handle_release(thumbnail) }
    return try picture(of: thumbnail, colorsOf: handle)
  }

  private static func size(of handle: OpaquePointer) -> PixelSize {
    PixelSize(
      width: Int(heif_image_handle_get_width(handle)),
      height: Int(heif_image_handle_get_height(handle)))
  }

  /// Returns a thumbnail that is large enough and has the picture's shape, to be released; nil
  /// without one.
  private static func thumbnail(of handle: OpaquePointer, _ size: PixelSize) -> OpaquePointer? {
    var ids = [heif_item_id](repeating: 0, count: 16)
    let count = heif_image_handle_get_list_of_thumbnail_IDs(handle, &ids, Int32(ids.count))
    for id in ids.prefix(max(0, Int(count))) {
      var thumbnail: OpaquePointer?
      guard heif_image_handle_get_thumbnail(handle, id, &thumbnail).isFine, let thumbnail else {
        continue
      }
      let small = self.size(of: thumbnail)
      let fitted = size.fitted(into: small)
      if max(small.width, small.height) >= minThumbnail, small.pixelCount <= maxPixels,
        abs(fitted.width - small.width) <= 2, abs(fitted.height - small.height) <= 2
      {
        return thumbnail
      }
      heif_image_handle_release(thumbnail)
    }
    return nil
  }

  private static func picture(
    of handle: OpaquePointer, colorsOf described: OpaquePointer
  ) throws(PictureError) -> HEIFPicture {
    let hasAlpha = heif_image_handle_has_alpha_channel(handle) != 0
    let chroma = hasAlpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB
    var image: OpaquePointer?
    guard heif_decode_image(handle, &image, heif_colorspace_RGB, chroma, nil).isFine, let image
    else { throw .undecodable }
    defer { heif_image_release(image) }
    var stride: Int32 = 0
    let size = PixelSize(
      width: Int(heif_image_get_width(image, heif_channel_interleaved)),
      height: Int(heif_image_get_height(image, heif_channel_interleaved)))
    let plane = heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride)
    let channels = hasAlpha ? 4 : 3
    guard let plane, size.width > 0, size.height > 0, Int(stride) >= size.width * channels else {
      throw .undecodable
    }
    let profile = profile(of: described)
    let colors =
      profile ?? codePoints { heif_image_handle_get_nclx_color_profile(described, &$0) }
      ?? codePoints { heif_image_get_nclx_color_profile(image, &$0) }
    return HEIFPicture(
      pixels: Self.pixels(plane, size, stride: Int(stride), channels: channels), colors: colors)
  }

  /// Returns the pixels of a plane, or the means of squares of 2, 4 or more of them a side.
  private static func pixels(
    _ plane: UnsafePointer<UInt8>, _ size: PixelSize, stride: Int, channels: Int
  ) -> RawPixels {
    var side = 1
    while size.pixelCount / (side * side) > maxResult, min(size.width, size.height) > side * 2 {
      side *= 2
    }
    let result = PixelSize(width: size.width / side, height: size.height / side)
    let bytes = [UInt8](unsafeUninitializedCapacity: result.pixelCount * channels) {
      target, count in
      for row in 0..<result.height {
        let line = plane + row * side * stride
        for column in 0..<result.width {
          for channel in 0..<channels {
            var sum = side * side / 2
            let start = column * side * channels + channel
            for y in 0..<side {
              for x in 0..<side { sum += Int(line[y * stride + start + x * channels]) }
            }
            target[count] = UInt8(sum / (side * side))
            count += 1
          }
        }
      }
    }
    return RawPixels(size: result, channels: channels, bytes: bytes)
  }

  private static func profile(of handle: OpaquePointer) -> ColorDescription? {
    let count = heif_image_handle_get_raw_color_profile_size(handle)
    guard count > 0 else { return nil }
    guard count <= ColorSource.maxProfileSize else { return .profile([]) }
    var bytes = [UInt8](repeating: 0, count: count)
    guard heif_image_handle_get_raw_color_profile(handle, &bytes).isFine else { return nil }
    return .profile(bytes)
  }

  private static func codePoints(
    _ read: (inout UnsafeMutablePointer<heif_color_profile_nclx>?) -> heif_error
  ) -> ColorDescription? {
    var profile: UnsafeMutablePointer<heif_color_profile_nclx>?
    guard read(&profile).isFine, let profile else { return nil }
    defer { heif_nclx_color_profile_free(profile) }
    return .codePoints(
      ColorCodePoints(
        primaries: Int(profile.pointee.color_primaries.rawValue),
        transfer: Int(profile.pointee.transfer_characteristics.rawValue)))
  }
}

extension heif_error {
  fileprivate var isFine: Bool { code == heif_error_Ok }
}
