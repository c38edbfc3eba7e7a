/// Arrangement of the screen as a person left it, which the next run takes up again.
///
/// Each value is nil until somebody has chosen one.
package nonisolated struct ViewState: Hashable, Sendable {
  /// Columns that a card of the grid has at least.
  package var cardColumns: Int?
  /// Part of the width that the list has where the detail stands beside it.
  package var listWidthFraction: ListWidthFraction?
  /// Whether the products were cards or rows.
  package var arrangement: BrowserModel.Arrangement?

  package init() {}
}

/// Part of a width, from nothing to all of it, fine enough to give back every column of a window.
package nonisolated struct ListWidthFraction: Hashable, Sendable {
  /// In parts of `whole`.
  package let parts: Int

  private static let whole = 10_000

  /// Brings what a file may say within its bounds.
  package init(parts: Int) {
    self.parts = parts.clamped(to: 0...Self.whole)
  }

  package init(_ columns: Int, of width: Int) {
    self.init(parts: width > 0 ? (columns * Self.whole + width / 2) / width : 0)
  }

  package func columns(of width: Int) -> Int { (parts * width + Self.whole / 2) / Self.whole }
}

/// The port to what keeps the look between runs.
package nonisolated protocol ViewStateStore: Sendable {
  /// What was kept; nothing where that cannot be read.
  func load() async -> ViewState
  /// Keeps what was chosen; what is nil stays as other runs have written it.
  func keep(_ chosen: ViewState) async
}
