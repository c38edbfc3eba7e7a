import Synchronization

/// The port that prepares an uploaded picture file for storage: checks its bytes, applies its
/// orientation, removes its metadata and makes a thumbnail.
package protocol PictureProcessor: Sendable {
  /// Prepares an uploaded file.
  ///
  /// - Throws: `.undecodable` for another format or a corrupt file; `.tooLarge` above the limits of
  ///   memory, time or size.
  func prepare(_ bytes: [UInt8]) async throws(PictureError) -> PreparedPicture
}

/// Picture file ready for storage, with its thumbnail.
package struct PreparedPicture: Hashable, Sendable {
  package let bytes: [UInt8]
  package let format: PictureFormat
  package let size: PixelSize
  package let thumbnail: [UInt8]
  /// Whether the file ended early, so that only a part was decoded.
  package var isCut = false

  package init(bytes: [UInt8], format: PictureFormat, size: PixelSize, thumbnail: [UInt8]) {
    self.bytes = bytes
    self.format = format
    self.size = size
    self.thumbnail = thumbnail
  }
}

/// Size in pixels; both sides are at least 1 for a picture.
package struct PixelSize: Hashable, Sendable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  package var pixelCount: Int { width * height }

  /// Returns the largest size of this aspect ratio that fits into `bounds`; each side at least 1.
  package func fitted(into bounds: PixelSize) -> PixelSize {
    guard width > 0, height > 0 else { return PixelSize(width: 1, height: 1) }
    let scale = min(
      Double(bounds.width) / Double(width), Double(bounds.height) / Double(height))
    return PixelSize(
      width: max(1, min(bounds.width, Int((Double(width) * scale).rounded()))),
      height: max(1, min(bounds.height, Int((Double(height) * scale).rounded()))))
  }
}

/// Rectangle of a picture, in whole pixels from its top left corner.
package struct PixelRectangle: Hashable, Sendable {
  package var columns: Range<Int>
  package var rows: Range<Int>

  package init(columns: Range<Int>, rows: Range<Int>) {
    self.columns = columns
    self.rows = rows
  }

  package var size: PixelSize { PixelSize(width: columns.count, height: rows.count) }

  /// Returns the largest centered rectangle of `size` that has the aspect ratio of `shape`.
  package static func middle(of size: PixelSize, shapedLike shape: PixelSize) -> Self {
    let part = shape.fitted(into: size)
    let left = (size.width - part.width) / 2
    let top = (size.height - part.height) / 2
    return Self(columns: left..<left + part.width, rows: top..<top + part.height)
  }
}

/// Decoded pixels: rows top to bottom, each left to right, 4 bytes a pixel in the order red, green,
/// blue, alpha (not premultiplied), sRGB.
package struct Bitmap: Hashable, Sendable {
  package let size: PixelSize
  /// `size.width * size.height * 4` bytes.
  package let pixels: [UInt8]

  package init(size: PixelSize, pixels: [UInt8]) {
    precondition(pixels.count == size.pixelCount * 4, "a bitmap has four bytes a pixel")
    self.size = size
    self.pixels = pixels
  }

  package var byteCount: Int { pixels.count }
}

/// Pool of picture processors; each picture goes to the least busy one.
package final class PictureProcessorPool: PictureProcessor {
  private let processors: [any PictureProcessor]
  /// Number of pictures in each processor.
  private let counts: Mutex<[Int]>

  /// Creates a pool; `processors` must not be empty.
  package init(_ processors: [any PictureProcessor]) {
    precondition(!processors.isEmpty, "nobody would process a picture")
    self.processors = processors
    counts = Mutex(processors.map { _ in 0 })
  }

  package func prepare(_ bytes: [UInt8]) async throws(PictureError) -> PreparedPicture {
    let lane = counts.withLock { counts in
      let lane = counts.indices.min { counts[$0] < counts[$1] } ?? 0
      counts[lane] += 1
      return lane
    }
    defer { counts.withLock { $0[lane] -= 1 } }
    return try await processors[lane].prepare(bytes)
  }
}

/// Picture processor that records the time of each picture.
package struct InstrumentedPictureProcessor: PictureProcessor {
  private let processor: any PictureProcessor
  private let done: TimerMetric
  private let refused: TimerMetric

  package init(_ processor: any PictureProcessor, _ registry: MetricsRegistry) {
    self.processor = processor
    done = registry.timer(.pictureTime, "done")
    refused = registry.timer(.pictureTime, "refused")
  }

  package func prepare(_ bytes: [UInt8]) async throws(PictureError) -> PreparedPicture {
    let began = ContinuousClock.now
    do throws(PictureError) {
      let picture = try await processor.prepare(bytes)
      done.note(since: began)
      return picture
    } catch {
      refused.note(since: began)
      throw error
    }
  }
}
