/// Choices on the screen, saved between runs.
///
/// Each value is nil until the user has chosen one.
package nonisolated struct ViewState: Hashable, Sendable {
  /// Minimum width of a card in the grid, in columns.
  package var cardColumns: Int?
  /// Fraction of the width for the list beside the detail.
  package var listWidthFraction: ListWidthFraction?
  /// Arrangement of the products as cards or rows.
  package var arrangement: BrowserModel.Arrangement?
  /// Folder from which the last photo was chosen.
  package var photoFolder: String?

  package init() {}
}

/// Fraction of a width, 0 to 1, precise enough for each column of a window.
package nonisolated struct ListWidthFraction: Hashable, Sendable {
  /// Ten-thousandths of the width.
  package let parts: Int

  /// Parts of the whole width.
  private static let whole = 10_000

  /// Clamps a value from a file to 0 to 10,000.
  package init(parts: Int) {
    self.parts = parts.clamped(to: 0...Self.whole)
  }

  package init(_ columns: Int, of width: Int) {
    self.init(parts: width > 0 ? (columns * Self.whole + width / 2) / width : 0)
  }

  package func columns(of width: Int) -> Int { (parts * width + Self.whole / 2) / Self.whole }
}

/// Port that saves choices between runs.
package nonisolated protocol ViewStateStore: Sendable {
  /// Saves the values that are not nil; others stay as saved.
  func keep(_ chosen: ViewState) async
}
