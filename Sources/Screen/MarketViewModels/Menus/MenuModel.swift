package import MarketModel
package import SafeTextKit

/// Menu: rows of which one is chosen.
package final class MenuModel: Dialog, ListModel {
  package let reply = Reply<Row>()
  package let subject: Subject
  package let list = SectionedList<Heading, Row>(hasGaps: true)
  /// More may come while it is open.
  @Observed package internal(set) var sections: [ListSection<Heading, Row>]

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

  package nonisolated enum Heading: Hashable, Sendable {
    /// What the menu is about.
    case subject
    case filters, links, contact
  }

  package nonisolated enum Row: Hashable, Identifiable, Sendable {
    case order(ProductOrder)
    case filter(ProductFilter)
    case pictures(PictureMode)
    case alert(AlertChoice)
    case price, stock, deletion
    case step(SaleStep)
    /// Command of the screen below, by its name.
    case command(String)
    case link(WebLink)
    case contact(SafeText)

    package var id: Self { self }
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

  init(_ subject: Subject, _ sections: [ListSection<Heading, Row>], selected: Row? = nil) {
    self.subject = subject
    self.sections = sections
    list.show(sections)
    if let selected { list.select(selected) }
  }

  convenience init(_ subject: Subject, _ rows: [Row], selected: Row? = nil) {
    self.init(subject, [ListSection(.subject, rows)], selected: selected)
  }

  package func choose(_ row: Row) { reply.give(row) }
}
