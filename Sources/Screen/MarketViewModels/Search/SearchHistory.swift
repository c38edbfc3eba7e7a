/// History of searches, and the position in it; the typed line follows the latest one.
struct SearchHistory: Hashable, Sendable {
  /// Latest first.
  private var lines: [String] = []
  /// Index in `lines`; nil at the typed line.
  private var position: Int?
  private var typed = ""

  mutating func didLoad(_ lines: [String]) { self.lines = lines }

  /// Resets the position after a change of the text.
  mutating func didType() { position = nil }

  /// The search before the current one; nil if there is none.
  mutating func older(than text: String) -> String? {
    if position == nil { typed = text }
    let next = lines.indices.first { $0 > position ?? -1 && (position != nil || lines[$0] != text) }
    guard let next else { return nil }
    position = next
    return lines[next]
  }

  /// The search after the current one, at last the typed line; nil at the typed line.
  mutating func newer() -> String? {
    guard let present = position else { return nil }
    position = present > 0 ? present - 1 : nil
    return position.map { lines[$0] } ?? typed
  }
}
