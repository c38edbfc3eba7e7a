/// The four letters that name a chunk of a PNG or RIFF file, as one number.
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
