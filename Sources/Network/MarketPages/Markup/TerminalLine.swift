internal import MarketModel
internal import SafeTextKit

/// Line of a page for terminals: styled pieces of safe text, and dots of pictures.
///
/// Only these become bytes, so that untrusted text cannot contain terminal control sequences.
struct TerminalLine: Hashable, Sendable {
  /// Style of a piece, in the terminal's own colours, since its background is unknown.
  enum TextStyle: Hashable, Sendable {
    case plain
    case strong
    case dim
    case accent
    case warning
    case struck

    /// Parameters of the escape sequence (ECMA-48, SGR).
    fileprivate var parameters: String {
      switch self {
      case .plain: "0"
      case .strong: "1"
      case .dim: "2"
      case .accent: "1;33"
      case .warning: "1;31"
      case .struck: "2;9"
      }
    }
  }

  private enum Piece: Hashable, Sendable {
    case text(SafeText, TextStyle)
    case dots([BlockPicture.Cell])
  }

  private var pieces: [Piece] = []
  /// Width of the pieces in cells.
  private(set) var columns = 0

  static let blank = TerminalLine()

  init() {}

  init(_ text: SafeText, _ style: TextStyle = .plain) {
    add(text, style)
  }

  mutating func add(_ text: SafeText, _ style: TextStyle = .plain) {
    pieces.append(.text(text, style))
    columns += text.columns
  }

  mutating func add(_ cells: [BlockPicture.Cell]) {
    pieces.append(.dots(cells))
    columns += cells.count
  }

  mutating func add(_ line: TerminalLine) {
    pieces += line.pieces
    columns += line.columns
  }

  /// Pads with spaces to a column.
  mutating func pad(to column: Int) {
    if columns < column { add(.spaces(column - columns)) }
  }

  /// Appends the line with its line end, in colours or without any escape sequence.
  func append(to bytes: inout [UInt8], isColored: Bool) {
    for piece in pieces {
      switch piece {
      case .text(let text, .plain): bytes += text.string.utf8
      case .text(let text, let style) where isColored:
        bytes += "\u{1B}[\(style.parameters)m".utf8
        bytes += text.string.utf8
        bytes += "\u{1B}[0m".utf8
      case .text(let text, _): bytes += text.string.utf8
      case .dots(let cells): if isColored { Self.append(cells, to: &bytes) }
      }
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Appends upper half blocks with foreground and background colours, repeated only when they change.
  private static func append(_ cells: [BlockPicture.Cell], to bytes: inout [UInt8]) {
    var last: BlockPicture.Cell?
    for cell in cells {
      if cell.upper != last?.upper { append(cell.upper, "38", to: &bytes) }
      if cell.lower != last?.lower { append(cell.lower, "48", to: &bytes) }
      bytes += "▀".utf8
      last = cell
    }
    bytes += "\u{1B}[0m".utf8
  }

  private static func append(
    _ color: BlockPicture.Color, _ ground: StaticString, to bytes: inout [UInt8]
  ) {
    bytes += "\u{1B}[\(ground);2;\(color.red);\(color.green);\(color.blue)m".utf8
  }
}
