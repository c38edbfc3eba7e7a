/// What was asked before, and where in it one is; a line that is being typed comes after the latest.
struct SearchHistory: Hashable, Sendable {
  /// The latest first.
  private var lines: [String] = []
  /// The place among the lines; nil while one types.
  private var position: Int?
  private var typed = ""

  mutating func didLoad(_ lines: [String]) { self.lines = lines }

  /// The text was changed by hand: from there one goes back anew.
  mutating func didType() { position = nil }

  /// The line before this text; nil where there is none.
  mutating func older(than text: String) -> String? {
    if position == nil { typed = text }
    let next = lines.indices.first { $0 > position ?? -1 && (position != nil || lines[$0] != text) }
    guard let next else { return nil }
    position = next
    return lines[next]
  }

  /// The line after the present one, at last what was being typed; nil where that stands there.
  mutating func newer() -> String? {
    guard let present = position else { return nil }
    position = present > 0 ? present - 1 : nil
    return position.map { lines[$0] } ?? typed
  }
}
