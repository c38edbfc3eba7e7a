/// A random source that gives the same texts in each run.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

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
