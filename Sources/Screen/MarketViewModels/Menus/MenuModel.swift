package import MarketModel
package import SafeTextKit

/// Menu, from which one row is chosen.
package final class MenuModel: Dialog, ListModel {
  package let reply = Reply<Row>()
  package let subject: Subject
  package let list = SectionedList<Heading, Row>(hasGaps: true)
  /// Sections can be added while the menu is open.
  @Observed package internal(set) var sections: [ListSection<Heading, Row>]

  package enum Subject: Sendable {
    /// Orders and filters of a market.
    case orders(RepositoryCapabilities)
    case pictures
    case alerts(AlertTarget)
    /// Reasons of a report.
    case report
    /// Bulk edits of this many selected products.
    case marked(Int)
    /// Commands for a product; those of the layer below precede the rows.
    case product(ListedProduct, at: Pointer?)
  }

  package nonisolated enum Heading: Hashable, Sendable {
    /// Subject of the menu.
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
    case reason(Report.Reason)
    /// Command of the layer below, by name.
    case command(String)
    case link(WebLink)
    case contact(SafeText)

    package var id: Self { self }
  }

  /// Cell of the window under the mouse.
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
