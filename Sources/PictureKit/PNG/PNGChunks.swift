/// The chunks of a PNG file in order (PNG specification, section 5.3), without checks of their sums.
struct PNGChunks: Sequence, IteratorProtocol {
  struct Chunk {
    let name: ChunkName
    /// Length, name, payload and checksum.
    let whole: Range<Int>
    let payload: Range<Int>
  }

  private let bytes: [UInt8]
  private var offset = 8

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Ends after the chunk IEND, or before the first one that is cut off.
  mutating func next() -> Chunk? {
    guard let length = bytes.bigEndian32(at: offset), length < 0x8000_0000,
      let name = ChunkName(bytes, at: offset + 4), offset + 12 + length <= bytes.count
    else { return nil }
    let whole = offset..<offset + 12 + length
    offset = name == "IEND" ? bytes.count : whole.upperBound
    return Chunk(
      name: name, whole: whole, payload: whole.lowerBound + 8..<whole.upperBound - 4)
  }
}
