internal import DispatchBridge
package import MarketModel

/// Preparer of uploads: makes them fit to be kept, one at a time on a queue of its own.
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

  package func prepare(_ bytes: [UInt8]) async throws(PictureError) -> PreparedPicture {
    let photo = try cleaner.clean(bytes)
    // Made of the file that will be kept, this also shows that it can be decoded.
    let thumbnail = try decoder.decode(photo.bytes, into: photo.size.limited(to: 320))
    var prepared = PreparedPicture(
      bytes: photo.bytes, format: photo.format, size: photo.size,
      thumbnail: try PhotoCompressor(limit: 25_000, best: 80).compress(PhotoPixels(thumbnail))
        .bytes)
    prepared.isCut = photo.isCut
    return prepared
  }
}
