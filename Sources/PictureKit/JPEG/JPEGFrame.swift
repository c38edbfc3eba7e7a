internal import MarketModel

/// What the frame header of a JPEG file says (ITU-T T.81, B.2.2), and what decoding it takes.
struct JPEGFrame: Hashable {
  /// Horizontal and vertical sampling factor of one component, 1 to 4 each.
  struct Sampling: Hashable {
    let horizontal: Int
    let vertical: Int
  }

  let size: PixelSize
  let isProgressive: Bool
  let isArithmetic: Bool
  let components: [Sampling]

  /// Nil where the frame is cut off or describes no picture.
  ///
  /// - Parameters:
  ///   - segment: a frame segment of `bytes`.
  ///   - bytes: the file.
  init?(_ segment: JPEGSegments.Segment, of bytes: [UInt8]) {
    let start = segment.payload.lowerBound
    guard let height = bytes.bigEndian16(at: start + 1), height > 0,
      let width = bytes.bigEndian16(at: start + 3), width > 0,
      let count = bytes.byte(at: start + 5), (1...4).contains(count),
      segment.payload.count >= 6 + 3 * Int(count)
    else { return nil }
    size = PixelSize(width: width, height: height)
    isProgressive = segment.marker & 3 == 2
    isArithmetic = segment.marker > 0xC8
    components = (0..<Int(count)).map {
      let factors = bytes[start + 7 + 3 * $0]
      return Sampling(horizontal: Int(factors >> 4), vertical: Int(factors & 15))
    }
    let factors = components.flatMap { [$0.horizontal, $0.vertical] }
    guard factors.allSatisfy((1...4).contains) else { return nil }
  }

  /// Bytes of the coefficients of the whole picture, two for each, in blocks of 8 x 8.
  var coefficientBytes: Int {
    let widest = components.map(\.horizontal).max() ?? 1
    let tallest = components.map(\.vertical).max() ?? 1
    return components.reduce(0) { sum, component in
      let columns = size.width * component.horizontal / (8 * widest) + 2
      let rows = size.height * component.vertical / (8 * tallest) + 2
      return sum + columns * rows * 128
    }
  }
}
