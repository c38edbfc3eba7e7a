/// Control sequence of ECMA-48, 5.4: private marker, parameters, intermediate and final byte.
struct ControlSequence {
  /// Private marker, one of `< = > ?`; nil where there is none.
  let marker: UInt8?
  /// Parameters; missing ones are 0, and of sub-parameters as in `5:1` the first counts.
  let parameters: [Int]
  /// Intermediate byte, space to `/`; nil where there is none.
  let intermediate: UInt8?
  let final: UInt8

  /// Creates a sequence from the bytes between introducer and final byte; nil for invalid bytes or a
  /// body of more than 256.
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

  /// Returns the parameter at `index`; 0 where there is none.
  func parameter(_ index: Int) -> Int {
    parameters.indices.contains(index) ? parameters[index] : 0
  }

  var beginsPaste: Bool {
    marker == nil && final == UInt8(ascii: "~") && parameters.first == 200
  }

  /// Event that the sequence reports; nil for an unknown sequence.
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

  /// Key that the sequence reports, also for `ESC O` with the same final byte; nil for other sequences.
  var key: KeyPress? {
    guard marker == nil, intermediate == nil else { return nil }
    switch final {
    case UInt8(ascii: "~"): return parameter(0) == 27 ? modifiedCharacter : editingKey
    case UInt8(ascii: "$"), UInt8(ascii: "^"), UInt8(ascii: "@"): return rxvtKey
    case UInt8(ascii: "u") where !parameters.isEmpty:
      return character(parameter(0), modifiers: modifiers)
    case UInt8(ascii: "Z"): return .backTab
    case UInt8(ascii: "M") where parameters.isEmpty: return .enter
    default: return Self.letters[final].map { KeyPress($0, modifiers) }
    }
  }

  /// Mouse event of mode 1006 (button, column, row; positions from 1); nil for an unsupported button.
  var mouse: MouseEvent? {
    guard parameters.count == 3, parameter(1) > 0, parameter(2) > 0 else { return nil }
    let code = parameter(0)
    let isPress = final == UInt8(ascii: "M")
    // Bits 2 to 4 are modifiers, bit 5 is motion; motion without a button has another number.
    let number = code & ~0b1_1100
    let action: MouseEvent.Action
    switch number {
    case 0...2: action = isPress ? .press : .release
    case 32 where isPress: action = .drag
    case 64 where isPress: action = .wheelUp
    case 65 where isPress: action = .wheelDown
    default: return nil
    }
    let point = CellPoint(column: parameter(1) - 1, row: parameter(2) - 1)
    return MouseEvent(
      action, by: MouseEvent.Button(rawValue: number) ?? .left, at: point,
      modifiers: .init(rawValue: UInt8(code >> 2 & 7)))
  }

  /// Converts three bytes of mode 1000 to the equivalent report of mode 1006: each value has an offset
  /// of 32, and button 3 is the release of any button.
  init?(oldMouse report: [UInt8]) {
    let numbers = report.map { Int($0) - 32 }
    let isRelease = numbers[0] & 0b100_0011 == 3
    let button = isRelease ? numbers[0] & ~3 : numbers[0]
    self.init(
      body: Array("<\(button);\(numbers[1]);\(numbers[2])".utf8),
      final: UInt8(ascii: isRelease ? "m" : "M"))
  }

  /// Modifiers of the second parameter: 1 plus the sum of shift 1, alt 2, control 4; higher bits are
  /// ignored.
  private var modifiers: KeyPress.Modifiers {
    let bits = max(1, parameter(1)) - 1
    return KeyPress.Modifiers(rawValue: UInt8(bits & 7))
  }

  private var editingKey: KeyPress? {
    Self.numbers[parameter(0)].map { KeyPress($0, modifiers) }
  }

  /// Editing key with Shift, Control, or both, as rxvt sends it (rxvt(7), "Key Codes").
  private var rxvtKey: KeyPress? {
    guard parameters.count == 1, let key = Self.numbers[parameter(0)] else { return nil }
    switch final {
    case UInt8(ascii: "$"): return KeyPress(key, .shift)
    case UInt8(ascii: "^"): return KeyPress(key, .control)
    default: return KeyPress(key, [.shift, .control])
    }
  }

  /// Key of `CSI 27 ; modifiers ; character ~` (xterm's modifyOtherKeys).
  private var modifiedCharacter: KeyPress? { character(parameter(2), modifiers: modifiers) }

  /// Returns the key of a character's code point (`CSI u`); nil for control and private-use characters.
  private func character(_ number: Int, modifiers: KeyPress.Modifiers) -> KeyPress? {
    guard let value = UInt32(exactly: number), let scalar = Unicode.Scalar(value) else {
      return nil
    }
    switch value {
    case 27: return KeyPress(.escape, modifiers)
    case 0..<0x20, 0x7F:
      return KeyPress(KeyPress(controlByte: UInt8(value)).key, modifiers)
    case 0x80..<0xA0, 0xE000..<0xF900: return nil
    default: return KeyPress(.character(Character(scalar)), modifiers.subtracting(.shift))
    }
  }

  private static let letters: [UInt8: KeyPress.Key] = [
    UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right,
    UInt8(ascii: "D"): .left, UInt8(ascii: "F"): .end, UInt8(ascii: "H"): .home,
    UInt8(ascii: "P"): .function(1), UInt8(ascii: "Q"): .function(2),
    UInt8(ascii: "R"): .function(3), UInt8(ascii: "S"): .function(4),
  ]

  private static let numbers: [Int: KeyPress.Key] = [
    1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
    11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5),
    17: .function(6), 18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10),
    23: .function(11), 24: .function(12), 25: .function(13), 26: .function(14), 28: .function(15),
    29: .function(16), 31: .function(17), 32: .function(18), 33: .function(19), 34: .function(20),
  ]
}
