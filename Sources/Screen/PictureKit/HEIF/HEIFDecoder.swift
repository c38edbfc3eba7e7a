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
  /// Maximum pixels of a picture: libheif holds them in 3 bytes each, and tiles beside them.
  package static let maxPixels = 60_000_000
  /// Maximum pixels of a picture that libheif puts together in one plane, in 6 bytes a pixel.
  private static let maxConverted = 36_000_000
  /// Maximum pixels of the result; a larger picture is halved until it has no more.
  private static let maxResult = 16_000_000
  /// Maximum pixels of a picture in one piece that every codec decodes in the process's memory.
  private static let maxSure = 24_000_000
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
    if size.pixelCount <= maxPixels {
      do throws(PictureError) {
        return try picture(of: handle, colorsOf: handle)
      } catch {
        // Without memory a codec says that the file is broken.
        guard size.pixelCount > maxSure else { throw error }
      }
    }
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
    if size(of: handle).pixelCount > maxConverted {
      return try reducedPicture(of: handle, colorsOf: described)
    }
    let hasAlpha = heif_image_handle_has_alpha_channel(handle) != 0
    let chroma = hasAlpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB
    var image: OpaquePointer?
    guard heif_decode_image(handle, &image, heif_colorspace_RGB, chroma, nil).isFine, let image
    else { throw .undecodable }
    defer { heif_image_release(image) }
    let channels = hasAlpha ? 4 : 3
    guard let plane = plane(heif_channel_interleaved, of: image),
      plane.stride >= plane.size.width * channels
    else { throw .undecodable }
    let planes = (0..<channels).map {
      Plane(start: plane.start + $0, size: plane.size, stride: plane.stride)
    }
    return HEIFPicture(
      pixels: pixels(planes, distance: channels), colors: colors(of: described, image))
  }

  /// Decodes a large picture of eight bits a channel to three planes, and makes fewer pixels of each
  /// before they are put together.
  private static func reducedPicture(
    of handle: OpaquePointer, colorsOf described: OpaquePointer
  ) throws(PictureError) -> HEIFPicture {
    var image: OpaquePointer?
    let error = heif_decode_image(handle, &image, heif_colorspace_RGB, heif_chroma_444, nil)
    // Without memory libheif says that it knows no conversion.
    guard error.code != heif_error_Unsupported_feature else { throw .tooLarge }
    guard error.isFine, let image else { throw .undecodable }
    defer { heif_image_release(image) }
    let planes = [heif_channel_R, heif_channel_G, heif_channel_B].compactMap {
      plane($0, of: image)
    }
    guard planes.count == 3, planes.allSatisfy({ $0.isSameShape(as: planes[0]) }),
      heif_image_get_bits_per_pixel_range(image, heif_channel_R) == 8
    else { throw .tooLarge }
    return HEIFPicture(
      pixels: pixels(planes, distance: 1), colors: colors(of: described, image))
  }

  /// Bytes of a channel, rows top to bottom.
  private struct Plane {
    let start: UnsafePointer<UInt8>
    let size: PixelSize
    /// Bytes from one row to the next.
    let stride: Int

    func isSameShape(as other: Plane) -> Bool { size == other.size && stride == other.stride }
  }

  /// Returns a plane of an image; nil where it has none.
  private static func plane(_ channel: heif_channel, of image: OpaquePointer) -> Plane? {
    var stride: Int32 = 0
    let size = PixelSize(
      width: Int(heif_image_get_width(image, channel)),
      height: Int(heif_image_get_height(image, channel)))
    guard size.width > 0, size.height > 0,
      let start = heif_image_get_plane_readonly(image, channel, &stride), Int(stride) >= size.width
    else { return nil }
    return Plane(start: start, size: size, stride: Int(stride))
  }

  private static func colors(of handle: OpaquePointer, _ image: OpaquePointer) -> ColorDescription?
  {
    profile(of: handle)
      ?? codePoints { heif_image_handle_get_nclx_color_profile(handle, &$0) }
      ?? codePoints { heif_image_get_nclx_color_profile(image, &$0) }
  }

  /// Returns the pixels of a channel each, or the means of squares of 2, 4 or more of them a side;
  /// those of a channel are `distance` bytes apart.
  private static func pixels(_ planes: [Plane], distance: Int) -> RawPixels {
    let (size, stride) = (planes[0].size, planes[0].stride)
    var side = 1
    while size.pixelCount / (side * side) > maxResult, min(size.width, size.height) > side * 2 {
      side *= 2
    }
    let result = PixelSize(width: size.width / side, height: size.height / side)
    let bytes = [UInt8](unsafeUninitializedCapacity: result.pixelCount * planes.count) {
      target, count in
      for row in 0..<result.height {
        for column in 0..<result.width {
          for plane in planes {
            let start = plane.start + row * side * stride + column * side * distance
            var sum = side * side / 2
            for y in 0..<side {
              for x in 0..<side { sum += Int(start[y * stride + x * distance]) }
            }
            target[count] = UInt8(sum / (side * side))
            count += 1
          }
        }
      }
    }
    return RawPixels(size: result, channels: planes.count, bytes: bytes)
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
