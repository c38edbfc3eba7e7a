/// How a terminal answers the questions of programs; none is the answer of a silent one.
package struct TerminalPersona: Sendable {
  /// `RRRR/GGGG/BBBB` in hexadecimal, as OSC 11 reports it.
  package var background: String?
  /// The attributes of DA1, such as `62;22`.
  package var attributes: String?
  /// Name and version, as XTVERSION reports them.
  package var version: String?
  package var reportsCursor: Bool
  /// Width and height of a cell in pixels.
  package var cell: (width: Int, height: Int)?
  /// The look that characters have after a 24-bit background was asked for, as DECRQSS reports it.
  package var look: String?
  /// Whether it takes part in kitty's graphics protocol.
  package var knowsKitty = false
  /// Whether it has left and right margins.
  package var hasMargins = false

  package static let dark = TerminalPersona(
    background: "1e1e/1e1e/1e1e", attributes: "62;22", version: "XTerm(380)", reportsCursor: true)
  package static let light = TerminalPersona(
    background: "fafa/fafa/f0f0", attributes: "62;22", version: "XTerm(380)", reportsCursor: true)
  package static let sixel = TerminalPersona(
    background: "1e1e/1e1e/1e1e", attributes: "62;4;22", version: "foot(1.25.0)",
    reportsCursor: true, cell: (10, 20))
  package static let kitty = TerminalPersona(
    background: "1e1e/1e1e/1e1e", attributes: "62;22", version: "kitty(0.43.0)",
    reportsCursor: true, cell: (10, 20), knowsKitty: true)
  /// An xterm as it stands, which shows more colours than its `TERM=xterm` says.
  package static let stockXTerm = TerminalPersona(
    background: "0000/0000/0000", attributes: "64;1;2;6;9;15;16;17;18;21;22;28",
    version: "XTerm(379)", reportsCursor: true, look: "0;48:2::1:2:3", hasMargins: true)
  package static let silent = TerminalPersona(
    background: nil, attributes: nil, version: nil, reportsCursor: false)

  /// The answer to one unit of output, if that was a question.
  func answer(to token: OutputToken, cursor: (row: Int, column: Int)) -> String? {
    switch (token.kind, token.body) {
    case (.operatingSystemCommand, "11;?"): background.map { "\u{1b}]11;rgb:\($0)\u{1b}\\" }
    case (.controlSequence, "c"), (.controlSequence, "0c"): attributes.map { "\u{1b}[?\($0)c" }
    case (.controlSequence, ">q"), (.controlSequence, ">0q"):
      version.map { "\u{1b}P>|\($0)\u{1b}\\" }
    case (.controlSequence, "6n"):
      reportsCursor ? "\u{1b}[\(cursor.row + 1);\(cursor.column + 1)R" : nil
    case (.controlSequence, "16t"): cell.map { "\u{1b}[6;\($0.height);\($0.width)t" }
    case (.controlSequence, "?69$p"): hasMargins ? "\u{1b}[?69;2$y" : nil
    case (.controlSequence, "5n"): attributes.map { _ in "\u{1b}[0n" }
    case (.controlString, "$qm"): look.map { "\u{1b}P1$r\($0)m\u{1b}\\" }
    case (.controlSequence, "?1;3;256S"): "\u{1b}[?1;0;256S"
    case (.controlString, let body) where body.hasPrefix("Gi=31,") && body.contains("a=q"):
      knowsKitty ? "\u{1b}_Gi=31;OK\u{1b}\\" : nil
    default: nil
    }
  }
}
