internal import Dispatch
internal import DispatchBridge
package import MarketModel

/// Encoder of a seller's own photos for upload: upright, without metadata, of limited length; one at
/// a time on its own queue.
///
/// The queue runs at background priority, below keys and the decoding that shows the photo, because
/// the result is needed only when the form is sent.
package actor PhotoEncoder {
  private let executor = QueueExecutor(label: "pictures.photos", qos: .background)
  private let decoder: PictureDecoder
  private let cleaner: PhotoCleaner
  private let compressor: PhotoCompressor
  private let limit: Int

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Creates an encoder; `limit` is the maximum length of a photo in bytes.
  ///
  /// The default limits exceed those of untrusted pictures, so that all pixels of a 12-megapixel
  /// camera photo are used for scaling.
  package init(
    limit: Int = 300_000,
    limits: DecodingLimits = DecodingLimits(memory: 160 << 20, fileBytes: 50_000_000)
  ) {
    self.limit = limit
    decoder = PictureDecoder(limits: limits)
    cleaner = PhotoCleaner(limits: limits, byteLimit: limit)
    compressor = PhotoCompressor(limit: limit)
  }

  /// Encodes a photo: one that is short enough without its metadata keeps its coded pixels, any other
  /// becomes JPEG, on white where it is transparent.
  ///
  /// - Throws: `.undecodable` for an unknown format or broken data; `.tooLarge` where a limit is
  ///   exceeded; `.cancelled` where the current task is cancelled.
  package func encode(_ bytes: [UInt8]) async throws(PictureError) -> PhotoFile {
    if bytes.count <= limit * 2 {
      let photo = try cleaner.clean(bytes)
      if photo.bytes.count <= limit {
        // A full decoding finds broken data before the upload.
        _ = try decoder.decode(photo.bytes, into: PixelSize(width: 1, height: 1))
        return photo
      }
    }
    var photo = try compressor.compress(decoder.decodeLargest(bytes))
    let header = try PictureHeader(bytes)
    photo.isCut = header.isCut(bytes)
    photo.colorFlaw = ColorConversion(header, bytes).flaw
    return photo
  }

  /// Encodes a picture of a HEIC or AVIF file as JPEG, on white where it is transparent.
  ///
  /// - Throws: `.cancelled` where the current task is cancelled.
  package func encode(_ picture: HEIFPicture) async throws(PictureError) -> PhotoFile {
    let pixels = picture.pixels
    let colors = ColorConversion(picture.colors, .rgb, channels: pixels.channels)
    var photo = try compressor.compress(
      PhotoPixels(colors.transform?.applied(to: pixels) ?? pixels, .upright, size: pixels.size))
    photo.colorFlaw = colors.flaw
    return photo
  }
}
