import Synchronization

/// The port that makes a stranger's picture file fit to be kept: checks it by its bytes, applies
/// its orientation, drops its metadata and makes its thumbnail.
package protocol PictureProcessor: Sendable {
  /// Makes of an uploaded file what a store keeps; `.undecodable` or `.tooLarge` is thrown.
  func prepare(_ bytes: [UInt8]) async throws(PictureError) -> PreparedPicture
}

/// A picture file that is fit to be kept, with its thumbnail.
package struct PreparedPicture: Hashable, Sendable {
  package let bytes: [UInt8]
  package let format: PictureFormat
  package let size: PixelSize
  package let thumbnail: [UInt8]
  /// Whether the file ended too early, and this is what was there of it.
  package var isCut = false

  package init(bytes: [UInt8], format: PictureFormat, size: PixelSize, thumbnail: [UInt8]) {
    self.bytes = bytes
    self.format = format
    self.size = size
    self.thumbnail = thumbnail
  }
}

/// A size in pixels; both sides are 1 or more where a picture has one.
package struct PixelSize: Hashable, Sendable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  package var pixelCount: Int { width * height }

  /// The largest size of this shape that fits into `bounds`; each side at least 1.
  package func fitted(into bounds: PixelSize) -> PixelSize {
    guard width > 0, height > 0 else { return PixelSize(width: 1, height: 1) }
    let scale = min(
      Double(bounds.width) / Double(width), Double(bounds.height) / Double(height))
    return PixelSize(
      width: max(1, min(bounds.width, Int((Double(width) * scale).rounded()))),
      height: max(1, min(bounds.height, Int((Double(height) * scale).rounded()))))
  }
}

/// Part of a picture, in whole pixels from its top left corner.
package struct PixelRectangle: Hashable, Sendable {
  package var columns: Range<Int>
  package var rows: Range<Int>

  package init(columns: Range<Int>, rows: Range<Int>) {
    self.columns = columns
    self.rows = rows
  }

  package var size: PixelSize { PixelSize(width: columns.count, height: rows.count) }

  /// The largest part in the middle of `size` that has the shape of `shape`.
  package static func middle(of size: PixelSize, shapedLike shape: PixelSize) -> Self {
    let part = shape.fitted(into: size)
    let left = (size.width - part.width) / 2
    let top = (size.height - part.height) / 2
    return Self(columns: left..<left + part.width, rows: top..<top + part.height)
  }
}

/// Bitmap of decoded pixels: rows top to bottom, each left to right, 4 bytes a pixel in the order
/// red, green, blue, alpha (not premultiplied), sRGB.
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

/// Several processors of pictures side by side: each picture goes to the one that has the fewest.
package final class PictureProcessorPool: PictureProcessor {
  private let processors: [any PictureProcessor]
  /// How many pictures each has.
  private let counts: Mutex<[Int]>

  /// Takes one processor at least.
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

/// Processor of pictures that is measured.
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
