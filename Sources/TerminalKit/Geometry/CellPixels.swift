/// The size of a cell in pixels.
package struct CellPixels: Hashable, Sendable {
  package let width: Int
  package let height: Int

  /// The cell of a VT340, which terminals imitate that have none of their own.
  package static let typical = CellPixels(width: 10, height: 20)

  /// Nil for a size that no cell has.
  package init?(checked width: Int, _ height: Int) {
    guard 2...256 ~= width, 4...512 ~= height else { return nil }
    self.init(width: width, height: height)
  }

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}
