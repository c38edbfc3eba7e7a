/// Keys that arrive as single bytes.
extension KeyPress {
  /// - Parameter byte: a C0 control other than escape, or DEL.
  init(controlByte byte: UInt8) {
    switch byte {
    case 0x08, 0x7F: self = .backspace
    case 0x09: self = .tab
    case 0x0D: self = .enter
    case 0x1B: self = .escape
    case 0x00: self = .control(" ")
    case 0x01..<0x1B: self = .control(Character(Unicode.Scalar(byte + 0x60)))
    default: self = .control(Character(Unicode.Scalar(byte + 0x40)))
    }
  }

  init(_ character: Character, alt: Bool) {
    self.init(.character(character), alt ? .alt : [])
  }

  func adding(_ modifiers: Modifiers) -> KeyPress {
    KeyPress(key, self.modifiers.union(modifiers))
  }
}
