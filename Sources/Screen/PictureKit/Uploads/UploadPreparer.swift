internal import DispatchBridge
package import MarketModel

/// Server-side processor of uploads: cleans each picture and makes its thumbnail, one at a time on
/// its own queue.
package actor UploadPreparer: PictureProcessor {
  private let executor = QueueExecutor(label: "pictures.uploads")
  private let decoder: PictureDecoder
  private let cleaner: PhotoCleaner

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  package init(limits: DecodingLimits = DecodingLimits()) {
    decoder = PictureDecoder(limits: limits)
    cleaner = PhotoCleaner(limits: limits)
  }

  /// Returns the clean file and a JPEG thumbnail of at most 320 pixels a side and 25,000 bytes.
  ///
  /// - Throws: `.undecodable` for an unknown format or broken data; `.tooLarge` where a limit is
  ///   exceeded; `.cancelled` where the current task is cancelled.
  package func prepare(_ bytes: [UInt8]) async throws(PictureError) -> PreparedPicture {
    let photo = try cleaner.clean(bytes)
    // Decoding the clean file also proves that it can be decoded.
    let thumbnail = try decoder.decode(photo.bytes, into: photo.size.limited(to: 320))
    var prepared = PreparedPicture(
      bytes: photo.bytes, format: photo.format, size: photo.size,
      thumbnail: try PhotoCompressor(limit: 25_000, best: 80).compress(PhotoPixels(thumbnail))
        .bytes)
    prepared.isCut = photo.isCut
    return prepared
  }
}
