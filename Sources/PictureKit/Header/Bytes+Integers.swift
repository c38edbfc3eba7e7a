/// Reads of foreign bytes: nil wherever the bytes end before the value does.
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

  func slice(at offset: Int, count length: Int) -> ArraySlice<UInt8>? {
    guard offset >= 0, length >= 0, offset <= count - length else { return nil }
    return self[offset..<offset + length]
  }
}
