/// The chunks of a RIFF file, or of a part of one, in order (WebP container, "RIFF file format").
struct RIFFChunks: Sequence, IteratorProtocol {
  struct Chunk {
    let name: ChunkName
    /// Name, length and payload, without the byte that pads it to an even length.
    let whole: Range<Int>
    var payload: Range<Int> { whole.lowerBound + 8..<whole.upperBound }
  }

  private let bytes: [UInt8]
  private let end: Int
  private var offset: Int

  /// - Parameters:
  ///   - bytes: the file.
  ///   - range: where the chunks are in it.
  init(_ bytes: [UInt8], in range: Range<Int>) {
    self.bytes = bytes
    offset = range.lowerBound
    end = range.upperBound
  }

  /// Ends before the first chunk that is cut off.
  mutating func next() -> Chunk? {
    guard let name = ChunkName(bytes, at: offset),
      let length = bytes.littleEndian32(at: offset + 4), offset + 8 + length <= end
    else { return nil }
    let whole = offset..<offset + 8 + length
    offset = whole.upperBound + length % 2
    return Chunk(name: name, whole: whole)
  }
}
