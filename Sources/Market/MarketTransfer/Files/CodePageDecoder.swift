import Glibc

/// Incremental decoder of an encoding of one, two or four bytes a character (iconv(3)).
final class CodePageDecoder {
  private let converter: iconv_t
  /// Bytes of an incomplete character.
  private var rest: [UInt8] = []

  /// Nil where the system has no converter of this name.
  init?(_ name: String) {
    guard let opened = iconv_open("UTF-8", name), opened != iconv_t(bitPattern: -1) else {
      return nil
    }
    converter = opened
  }

  deinit { iconv_close(converter) }

  func decode(_ bytes: [UInt8]) -> [UInt8] {
    var source = (rest + bytes).map { CChar(bitPattern: $0) }
    rest = []
    // A byte becomes at most three.
    var target = [CChar](repeating: 0, count: source.count * 3 + 8)
    var written = 0
    source.withUnsafeMutableBufferPointer { source in
      target.withUnsafeMutableBufferPointer { target in
        var (input, left) = (source.baseAddress, source.count)
        var (output, room) = (target.baseAddress, target.count)
        while left > 0, iconv(converter, &input, &left, &output, &room) == -1 {
          guard errno == EILSEQ, let byte = input, let position = output else { break }
          position.pointee = CChar(bitPattern: DecodedFile.unreadable)
          (input, left) = (byte + 1, left - 1)
          (output, room) = (position + 1, room - 1)
        }
        written = target.count - room
        rest = source.suffix(left).map { UInt8(bitPattern: $0) }
      }
    }
    return target[..<written].map { UInt8(bitPattern: $0) }
  }

  /// Ends decoding: the unreadable byte for incomplete input, else nothing.
  func finish() -> [UInt8] {
    defer { rest = [] }
    return rest.isEmpty ? [] : [DecodedFile.unreadable]
  }
}
