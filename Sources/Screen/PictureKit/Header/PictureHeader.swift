package import MarketModel

/// Header of a picture file, read without decoding pixels.
///
/// Of an animated picture, it describes the first frame on its canvas.
package struct PictureHeader: Hashable, Sendable {
  let coding: PictureCoding

  /// Reads the header of any bytes without allocating pixels.
  ///
  /// - Throws: `.undecodable` where the bytes are none of the four formats, or their header is broken
  ///   or incomplete.
  package init(_ bytes: [UInt8]) throws(PictureError) {
    guard let coding = PictureCoding(bytes) else { throw .undecodable }
    self.coding = coding
  }

  /// Size of the upright picture.
  package var size: PixelSize { orientation.applied(to: storedSize) }

  package var format: PictureFormat {
    switch coding {
    case .jpeg: .jpeg
    case .png: .png
    case .webp: .webp
    case .gif: .gif
    }
  }

  /// Whether the last row is complete only after several passes: progressive JPEG, interlaced PNG or
  /// GIF.
  package var isProgressive: Bool {
    switch coding {
    case .jpeg(let header): header.frame.isProgressive
    case .png(let header): header.isInterlaced
    case .webp: false
    case .gif(let header): header.isInterlaced
    }
  }

  package var hasAlpha: Bool {
    switch coding {
    case .jpeg: false
    case .png(let header): header.hasAlpha
    case .webp(let header): header.hasAlpha
    case .gif(let header): header.hasAlpha
    }
  }

  /// Whether the file has more frames than the first, which is the only one shown.
  package var isAnimated: Bool {
    switch coding {
    case .jpeg: false
    case .png(let header): header.isAnimated
    case .webp(let header): header.isAnimated
    case .gif(let header): header.isAnimated
    }
  }

  package var orientation: PictureOrientation {
    switch coding {
    case .jpeg(let header): header.orientation
    case .png(let header): header.orientation
    case .webp(let header): header.orientation
    case .gif: .upright
    }
  }

  /// Description of the colors; nil where they are sRGB without saying so.
  var colors: ColorSource? {
    switch coding {
    case .jpeg(let header): header.colors
    case .png(let header): header.colors
    case .webp(let header): header.colors
    case .gif: nil
    }
  }

  /// Channels that the description is about.
  var colorModel: ColorModel {
    switch coding {
    case .jpeg(let header): header.colorModel
    case .png(let header): header.isGray ? .gray : .rgb
    case .webp, .gif: .rgb
    }
  }

  /// Whether the file's own numbers are sRGB once its description is followed; false for a PNG with
  /// another gamma, which its decoder follows.
  var hasPlainGamma: Bool {
    if case .png(let header) = coding { header.hasPlainGamma } else { true }
  }

  /// Size before the orientation is applied: the file's columns and rows.
  var storedSize: PixelSize {
    switch coding {
    case .jpeg(let header): header.frame.size
    case .png(let header): header.size
    case .webp(let header): header.size
    case .gif(let header): header.size
    }
  }

  /// Whether the file is truncated before the end of its picture; `bytes` is the file of this header.
  func isCut(_ bytes: [UInt8]) -> Bool {
    switch coding {
    case .jpeg(let header): header.isCut(bytes)
    case .png(let header): header.isCut
    case .webp(let header): header.isCut
    case .gif(let header): header.isCut
    }
  }

  /// Returns a file of the same format with the same coded pixels and nothing else: no metadata, no
  /// further frames, no trailing bytes.
  ///
  /// `bytes` is the file of this header. Nil for a truncated picture, and for a WebP whose first
  /// frame is smaller than its canvas.
  func bareFile(from bytes: [UInt8]) -> [UInt8]? {
    switch coding {
    case .jpeg(let header): header.bareFile(from: bytes)
    case .png(let header): header.isCut ? nil : header.bareFile(from: bytes)
    case .webp(let header):
      header.isCut || !header.fillsCanvas ? nil : header.bareFile(from: bytes)
    case .gif(let header): header.isCut ? nil : header.bareFile(from: bytes)
    }
  }
}

/// Header of a file in its own format.
enum PictureCoding: Hashable {
  case jpeg(JPEGHeader)
  case png(PNGHeader)
  case webp(WebPHeader)
  case gif(GIFHeader)

  /// Returns nil for an unknown format, or a broken header.
  init?(_ bytes: [UInt8]) {
    let coding: Self? =
      switch PictureFormat(sniffing: bytes) {
      case .jpeg: JPEGHeader(bytes).map(Self.jpeg)
      case .png: PNGHeader(bytes).map(Self.png)
      case .webp: WebPHeader(bytes).map(Self.webp)
      case .gif: GIFHeader(bytes).map(Self.gif)
      case nil: nil
      }
    guard let coding else { return nil }
    self = coding
  }
}

/// Bounds-checked reading of untrusted bytes: nil wherever the bytes end before the value does.
extension [UInt8] {
  func byte(at offset: Int) -> UInt8? {
    indices.contains(offset) ? self[offset] : nil
  }

  func bigEndian16(at offset: Int) -> Int? {
    slice(at: offset, count: 2)?.reduce(0) { $0 << 8 | Int($1) }
  }

  func bigEndian32(at offset: Int) -> Int? {
    slice(at: offset, count: 4)?.reduce(0) { $0 << 8 | Int($1) }
  }

  func littleEndian16(at offset: Int) -> Int? {
    slice(at: offset, count: 2)?.reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  func littleEndian24(at offset: Int) -> Int? {
    slice(at: offset, count: 3)?.reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  func littleEndian32(at offset: Int) -> Int? {
    slice(at: offset, count: 4)?.reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private func slice(at offset: Int, count length: Int) -> ArraySlice<UInt8>? {
    guard offset >= 0, length >= 0, offset <= count - length else { return nil }
    return self[offset..<offset + length]
  }
}

/// Name of a PNG or RIFF chunk: four ASCII letters packed into one number, big-endian.
struct ChunkName: Hashable, ExpressibleByStringLiteral {
  private let code: UInt32

  init(stringLiteral name: String) {
    code = name.utf8.reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Returns nil where the bytes end before the name does.
  init?(_ bytes: [UInt8], at offset: Int) {
    guard let value = bytes.bigEndian32(at: offset) else { return nil }
    code = UInt32(value)
  }
}
