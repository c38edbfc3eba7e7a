import Glibc

/// Random numbers that are the same on every run (Vigna, "splitmix64"), unless `TEST_SEED` gives another
/// number to start from, which is printed.
package struct SeededRandom: RandomNumberGenerator {
  private static let start: UInt64 = {
    guard let text = getenv("TEST_SEED"), let number = UInt64(String(cString: text)) else {
      return 0
    }
    print("Random tests begin with TEST_SEED=\(number)")
    return number
  }()

  private var state: UInt64

  package init(seed: UInt64) {
    state = seed &+ Self.start
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
