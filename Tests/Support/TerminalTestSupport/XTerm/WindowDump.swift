import Glibc

/// The pixels of a screen as an X window dump has them (XWDFile.h, version 7).
package struct WindowDump: Sendable {
  package let width: Int
  package let height: Int
  private let bytes: [UInt8]
  private let start: Int
  private let stride: Int

  /// - Parameter path: a dump of 24 bits a pixel in words of 32 bits, the lowest byte first.
  init?(path: String) {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while true {
      let piece = [UInt8](unsafeUninitializedCapacity: 1 << 20) { buffer, count in
        count = fread(buffer.baseAddress, 1, buffer.count, file)
      }
      guard !piece.isEmpty else { break }
      bytes += piece
    }
    func word(_ index: Int) -> Int {
      bytes[index * 4..<index * 4 + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    guard bytes.count > 100, word(1) == 7, word(7) == 0, word(11) == 32 else { return nil }
    (width, height, stride) = (word(4), word(5), word(12))
    let bytesOfColor = 12
    start = word(0) + word(19) * bytesOfColor
    guard bytes.count >= start + height * stride else { return nil }
    self.bytes = bytes
  }

  /// Red, green and blue, 0 to 255, at a place counted from the top left.
  package func color(x: Int, y: Int) -> SIMD3<Int> {
    let position = start + y * stride + x * 4
    return SIMD3(Int(bytes[position + 2]), Int(bytes[position + 1]), Int(bytes[position]))
  }
}
