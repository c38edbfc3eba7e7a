package import MarketModel
import Observation
package import SafeTextKit

/// Menu: rows of which one is chosen.
@Observable
package final class MenuModel: Dialog {
  package let reply = Reply<Row>()
  package let subject: Subject
  /// More may come while it is open.
  package internal(set) var rows: [Row]
  package private(set) var selected: Int

  package enum Subject: Sendable {
    /// What a market offers to order and to narrow its products by.
    case orders(RepositoryCapabilities)
    case pictures
    case alerts(AlertTarget)
    /// What can be done with so many marked products.
    case marked(Int)
    /// What can be done with a product: before the rows come the commands of the screen below.
    case product(ListedProduct, at: Pointer?)
  }

  package enum Row: Hashable, Sendable {
    case order(ProductOrder)
    case filter(ProductFilter)
    case pictures(PictureMode)
    case alert(AlertChoice)
    case price, stock, deletion
    case link(WebLink)
    case contact(SafeText)
  }

  /// Cell of the window that the mouse was on.
  package struct Pointer: Hashable, Sendable {
    package let column: Int
    package let row: Int

    package init(column: Int, row: Int) {
      self.column = column
      self.row = row
    }
  }

  init(_ subject: Subject, _ rows: [Row], selected: Row? = nil) {
    self.subject = subject
    self.rows = rows
    self.selected = selected.flatMap(rows.firstIndex) ?? 0
  }

  /// The selected one of the rows, which stand behind so many others.
  package func selectedRow(behind others: Int = 0) -> Row? {
    rows.indices.contains(selected - others) ? rows[selected - others] : nil
  }

  /// Moves the selection among so many rows.
  package func move(by distance: Int, of count: Int) {
    selected = (selected + distance).clamped(to: 0...max(0, count - 1))
  }

  package func choose(_ row: Row) { reply.give(row) }
}
