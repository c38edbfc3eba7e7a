internal import CVTerm

/// What a terminal shows after a program's output: the emulator libvterm.
package final class EmulatorScreen {
  private let terminal: OpaquePointer
  private let screen: OpaquePointer
  private var lastCharacter: [UInt8] = [UInt8(ascii: " ")]
  package private(set) var size: TerminalSize
  package private(set) var modes = EmulatorModes()

  package init(size: TerminalSize) {
    self.size = size
    terminal = vterm_new(Int32(size.rows), Self.columns(of: size))
    vterm_set_utf8(terminal, 1)
    screen = vterm_obtain_screen(terminal)
    vterm_screen_enable_altscreen(screen, 1)
    vterm_screen_reset(screen, 1)
  }

  deinit {
    vterm_free(terminal)
  }

  /// Shows one unit of output.
  package func show(_ token: OutputToken) {
    modes.apply(token)
    // libvterm 0.1 prints some of these; terminals do not.
    guard token.kind != .controlString else { return }
    if token.kind == .controlSequence, token.body.hasSuffix("b") {
      // Repeats the last character; libvterm 0.1 does not know it, ncurses sends it.
      let count = Int(token.body.dropLast()) ?? 1
      for _ in 0..<count { feed(lastCharacter) }
    } else {
      feed(token.bytes)
      if token.kind == .text { lastCharacter = Self.lastCharacter(of: token.bytes) }
    }
  }

  package func resize(to size: TerminalSize) {
    self.size = size
    vterm_set_size(terminal, Int32(size.rows), Self.columns(of: size))
    keepCursorInside()
  }

  /// libvterm 0.1 writes a wide character past the end of a single column, so it never gets one.
  private static func columns(of size: TerminalSize) -> Int32 { Int32(max(2, size.columns)) }

  /// Brings the cursor back onto the screen: libvterm 0.1 leaves it above or behind when a window
  /// shrinks or a place from before that is restored, and then erases what is not there.
  private func keepCursorInside() {
    let (row, column) = cursor
    let inside = (row: min(max(0, row), size.rows - 1), column: max(0, column))
    guard row != inside.row || column >= Self.columns(of: size) else { return }
    write(Array("\u{1b}[\(inside.row + 1);\(inside.column + 1)H".utf8))
  }

  /// The rows from top to bottom as text, without the blanks at their ends.
  package var lines: [String] {
    (0..<size.rows).map { row in
      var line = ""
      var column = 0
      while column < size.columns {
        let cell = cell(row: row, column: column)
        line += cell.text.isEmpty ? " " : cell.text
        column += cell.width
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  package func contains(_ text: String) -> Bool {
    lines.contains { $0.contains(text) }
  }

  package var cursor: (row: Int, column: Int) {
    var position = VTermPos()
    vterm_state_get_cursorpos(vterm_obtain_state(terminal), &position)
    return (Int(position.row), Int(position.col))
  }

  /// What stands at a place, rows from the top and columns from the left, both from 0.
  package func cell(row: Int, column: Int) -> TerminalCell {
    var cell = VTermScreenCell()
    vterm_screen_get_cell(screen, VTermPos(row: Int32(row), col: Int32(column)), &cell)
    return TerminalCell(cell)
  }

  private func feed(_ bytes: [UInt8]) {
    write(bytes)
    keepCursorInside()
  }

  private func write(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { buffer in
      let characters = buffer.assumingMemoryBound(to: CChar.self)
      _ = vterm_input_write(terminal, characters.baseAddress, characters.count)
    }
  }

  private static func lastCharacter(of bytes: [UInt8]) -> [UInt8] {
    let start = bytes.lastIndex { $0 & 0xc0 != 0x80 } ?? bytes.startIndex
    return Array(bytes[start...])
  }
}

extension TerminalCell {
  fileprivate init(_ cell: VTermScreenCell) {
    text = withUnsafeBytes(of: cell.chars) { buffer in
      let codes = buffer.bindMemory(to: UInt32.self).prefix { $0 != 0 }
      // libvterm marks the second half of a wide character by the greatest code.
      return String(String.UnicodeScalarView(codes.compactMap(Unicode.Scalar.init)))
    }
    width = max(1, Int(cell.width))
    foreground = Color(cell.fg, defaultFlag: VTERM_COLOR_DEFAULT_FG)
    background = Color(cell.bg, defaultFlag: VTERM_COLOR_DEFAULT_BG)
    isBold = cell.attrs.bold != 0
    isReversed = cell.attrs.reverse != 0
    isStruckThrough = cell.attrs.strike != 0
    isUnderlined = cell.attrs.underline != 0
  }
}

extension TerminalCell.Color {
  fileprivate init(_ color: VTermColor, defaultFlag: VTermColorType) {
    let type = UInt32(color.type)
    if type & UInt32(defaultFlag.rawValue) != 0 {
      self = .terminalDefault
    } else if type & UInt32(VTERM_COLOR_TYPE_MASK.rawValue) == VTERM_COLOR_INDEXED.rawValue {
      self = .indexed(color.indexed.idx)
    } else {
      self = .rgb(red: color.rgb.red, green: color.rgb.green, blue: color.rgb.blue)
    }
  }
}
