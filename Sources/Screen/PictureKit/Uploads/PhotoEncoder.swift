internal import Dispatch
internal import DispatchBridge
package import MarketModel

/// Encoder of a seller's own photos for the form: upright, without metadata and short enough to be
/// sent, one at a time on a queue of its own.
///
/// Nobody waits for that before sending, so the queue gives way: to keys, and to the decoding that
/// shows the photo.
package actor PhotoEncoder {
  private let executor = QueueExecutor(label: "pictures.photos", qos: .background)
  private let decoder: PictureDecoder
  private let cleaner: PhotoCleaner
  private let compressor: PhotoCompressor
  private let limit: Int

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Takes the bytes of a photo at most.
  ///
  /// Decoding one may cost more than a stranger's picture, so that a camera's usual 12 megapixels
  /// are scaled from all of their pixels.
  package init(
    limit: Int = 300_000,
    limits: DecodingLimits = DecodingLimits(memory: 160 << 20, fileBytes: 50_000_000)
  ) {
    self.limit = limit
    decoder = PictureDecoder(limits: limits)
    cleaner = PhotoCleaner(limits: limits, byteLimit: limit)
    compressor = PhotoCompressor(limit: limit)
  }

  /// Leaves the coded pixels as they are where the file is short enough without its metadata;
  /// otherwise encodes as JPEG, with white where it is transparent.
  ///
  /// - Throws: `PictureError.undecodable`, `.tooLarge` or `.cancelled`.
  package func encode(_ bytes: [UInt8]) async throws(PictureError) -> PhotoFile {
    if bytes.count <= limit * 2 {
      let photo = try cleaner.clean(bytes)
      if photo.bytes.count <= limit {
        // A broken file is better found now than by whoever looks at it.
        _ = try decoder.decode(photo.bytes, into: PixelSize(width: 1, height: 1))
        return photo
      }
    }
    var photo = try compressor.compress(decoder.decodeLargest(bytes))
    photo.isCut = try PictureHeader(bytes).isCut(bytes)
    return photo
  }
}
