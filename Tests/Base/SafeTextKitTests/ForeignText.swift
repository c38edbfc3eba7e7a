import TestSupport

extension SeededRandom {
  /// Scalars of all planes, with plain, Hangul, mark and emoji ranges more often than the rest.
  mutating func foreignText(length: Int) -> String {
    let ranges: [ClosedRange<UInt32>] = [
      0x20...0x7E, 0x20...0x20, 0xAC00...0xD7A3, 0x0...0x9F, 0x300...0x36F, 0x1100...0x11FF,
      0x1F1E6...0x1F64F, 0x2000...0x206F, 0x900...0xDFF, 0x0...0x10FFFF,
    ]
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...length, using: &self) {
      let range = ranges[Int.random(in: 0..<ranges.count, using: &self)]
      if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &self)) {
        text.append(scalar)
      }
    }
    return String(text)
  }
}
