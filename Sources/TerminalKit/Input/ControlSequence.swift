/// A control sequence: private marker, numbers, final byte (ECMA-48, 5.4).
struct ControlSequence {
  /// One of `< = > ?` before the numbers, or nil.
  let marker: UInt8?
  /// The numbers, missing ones as 0; of `5:1`, the first counts.
  let parameters: [Int]
  /// One of `space` to `/` before the final byte, or nil.
  let intermediate: UInt8?
  let final: UInt8

  /// - Parameters:
  ///   - body: the bytes between introducer and final byte.
  ///   - final: the byte that ended the sequence.
  init?(body: [UInt8], final: UInt8) {
    var rest = body[...]
    marker = rest.first.flatMap { 0x3C..<0x40 ~= $0 ? $0 : nil }
    if marker != nil { rest = rest.dropFirst() }
    intermediate = rest.last.flatMap { 0x20..<0x30 ~= $0 ? $0 : nil }
    if intermediate != nil { rest = rest.dropLast() }
    guard rest.count <= 256, rest.allSatisfy({ 0x30..<0x3C ~= $0 }) else { return nil }
    parameters = rest.isEmpty ? [] : Self.numbers(in: rest)
    self.final = final
  }

  /// The number at `index`; 0 where there is none.
  func parameter(_ index: Int) -> Int {
    parameters.indices.contains(index) ? parameters[index] : 0
  }

  var beginsPaste: Bool {
    marker == nil && final == UInt8(ascii: "~") && parameters.first == 200
  }

  /// What the sequence reports; nil where it means nothing to us.
  var event: InputEvent? {
    switch (marker, final) {
    case (UInt8(ascii: "<"), UInt8(ascii: "M")), (UInt8(ascii: "<"), UInt8(ascii: "m")):
      mouse.map { .mouse($0) }
    case (nil, UInt8(ascii: "I")): .focus(true)
    case (nil, UInt8(ascii: "O")): .focus(false)
    default: reply.map { .reply($0) } ?? key.map { .key($0) }
    }
  }

  private static func numbers(in bytes: ArraySlice<UInt8>) -> [Int] {
    bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { field in
      field.prefix { $0 != UInt8(ascii: ":") }.reduce(0) { number, digit in
        min(number * 10 + Int(digit) - 0x30, 0x1F_FFFF)
      }
    }
  }
}
