/// Reading of foreign bytes: nil wherever the bytes end before the value does.
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

  func littleEndian32(at offset: Int) -> Int? {
    slice(at: offset, count: 4)?.reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  func slice(at offset: Int, count length: Int) -> ArraySlice<UInt8>? {
    guard offset >= 0, length >= 0, offset <= count - length else { return nil }
    return self[offset..<offset + length]
  }
}

/// Name of a chunk of a PNG or RIFF file: four letters as one number.
struct ChunkName: Hashable, ExpressibleByStringLiteral {
  private let code: UInt32

  init(stringLiteral name: String) {
    code = name.utf8.reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Nil where the bytes end before the name does.
  init?(_ bytes: [UInt8], at offset: Int) {
    guard let value = bytes.bigEndian32(at: offset) else { return nil }
    code = UInt32(value)
  }
}
