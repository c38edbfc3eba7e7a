/// Gathers pasted bytes up to `ESC [ 2 0 1 ~`, however they are cut.
struct PasteCollector {
  private var bytes: [UInt8] = []
  /// How many bytes of the end marker the last bytes were.
  private var matched = 0

  private static let endMarker = Array("\u{1B}[201~".utf8)
  /// What is pasted beyond 16 MB is dropped.
  private static let maximumCount = 16 << 20

  /// - Parameters:
  ///   - input: bytes that arrived.
  ///   - index: where the paste goes on; afterwards, the first byte that is not of it.
  /// - Returns: the text, when its end was found.
  mutating func feed(_ input: [UInt8], from index: inout Int) -> String? {
    while index < input.count {
      if matched == 0 { skipText(input, &index) }
      guard index < input.count else { break }
      if input[index] == Self.endMarker[matched] {
        index += 1
        matched += 1
        if matched == Self.endMarker.count { return text }
      } else {
        append(Self.endMarker[..<matched])
        matched = 0
      }
    }
    return nil
  }

  /// Takes all up to the next escape at once, as pastes may be large.
  private mutating func skipText(_ input: [UInt8], _ index: inout Int) {
    let end = input[index...].firstIndex(of: Self.endMarker[0]) ?? input.count
    append(input[index..<end])
    index = end
  }

  private mutating func append(_ more: some Collection<UInt8>) {
    if bytes.count + more.count <= Self.maximumCount { bytes.append(contentsOf: more) }
  }

  /// The text with `\n` for every line end and without other control characters than tabs.
  private var text: String {
    var scalars = String.UnicodeScalarView()
    var previous: Unicode.Scalar = " "
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar.value {
      case 0x0D: scalars.append("\n")
      case 0x0A: if previous != "\r" { scalars.append("\n") }
      case 0x09, 0x20..<0x7F, 0xA0...: scalars.append(scalar)
      default: break
      }
      previous = scalar
    }
    return String(scalars)
  }
}
