/// A short digest of content: FNV-1a in 64 bits (draft-eastlake-fnv).
///
/// It is the same in every run, and no secret depends on it: enough to tell a page from the one
/// before.
package struct ContentDigest {
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  package init() {}

  package mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
  }
}
