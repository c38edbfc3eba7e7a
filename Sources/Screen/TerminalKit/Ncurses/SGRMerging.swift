/// Merging of commands that change how characters look (SGR), of which ncurses writes one for each
/// attribute and colour: what stands together becomes one, and nothing stays before a reset.
enum SGRMerging {
  /// More numbers than these some terminals leave out.
  private static let maxNumbers = 16
  private static let escape = UInt8(ascii: "\u{1B}")

  /// The same frame in fewer bytes.
  static func merged(_ frame: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(frame.count)
    var index = 0
    while index < frame.count {
      guard let first = look(in: frame, at: index) else {
        bytes.append(frame[index])
        index += 1
        continue
      }
      var numbers = first.isEmpty ? [UInt8(ascii: "0")] : Array(frame[first])
      index = first.upperBound + 1
      while let next = self.look(in: frame, at: index) {
        let look = frame[next]
        index = next.upperBound + 1
        if resets(look) {
          numbers = look.isEmpty ? [UInt8(ascii: "0")] : Array(look)
        } else if count(numbers) + count(look) <= maxNumbers {
          numbers += [UInt8(ascii: ";")] + look
        } else {
          append(numbers, to: &bytes)
          numbers = Array(look)
        }
      }
      append(numbers, to: &bytes)
    }
    return bytes
  }

  /// The numbers of a command that begins at a place; nil where none does.
  private static func look(in frame: [UInt8], at index: Int) -> Range<Int>? {
    guard index + 2 < frame.count, frame[index] == escape, frame[index + 1] == UInt8(ascii: "[")
    else { return nil }
    var end = index + 2
    while end < frame.count, 0x30...0x3B ~= frame[end] { end += 1 }
    guard end < frame.count, frame[end] == UInt8(ascii: "m") else { return nil }
    return index + 2..<end
  }

  private static func resets(_ numbers: ArraySlice<UInt8>) -> Bool {
    guard let first = numbers.first else { return true }
    return first == UInt8(ascii: "0")
      && (numbers.count == 1 || numbers[numbers.startIndex + 1] == UInt8(ascii: ";"))
  }

  private static func count(_ numbers: some Collection<UInt8>) -> Int {
    numbers.count { $0 == UInt8(ascii: ";") } + 1
  }

  /// A reset alone needs no number.
  private static func append(_ numbers: [UInt8], to bytes: inout [UInt8]) {
    bytes += "\u{1B}[".utf8
    if numbers != [UInt8(ascii: "0")] { bytes += numbers }
    bytes.append(UInt8(ascii: "m"))
  }
}
