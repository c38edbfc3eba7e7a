internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// Card of the seller whose products are shown: two lines above them, with a rule below.
///
/// A click on the contact copies it.
struct SellerCard {
  let visit: SellerVisit
  /// Whether the seller is the user.
  let isOwn: Bool
  /// Name of the key that opens the menu with the contact.
  let key: SafeText
  let rect: CellRect
  let context: RenderContext

  /// Lines of a card without its rule.
  static let lines = 2

  func draw(on canvas: inout Canvas) {
    let (lines, rule) = rect.inset(left: 1, right: 1).splitBottom(1)
    let columns = lines.columns
    let name = visit.name.truncated(toColumns: columns / 2)
    canvas.write(name, at: lines.origin, style: context.theme.strong, maxColumns: columns)
    canvas.write(
      facts, at: lines.origin.moved(columns: name.columns + 2), style: context.theme.secondary,
      maxColumns: columns - name.columns - 2)
    if lines.rows > 1 {
      drawContact(on: &canvas, in: lines.row(1))
    }
    canvas.horizontalRule(
      at: CellPoint(column: rect.minColumn, row: rule.minRow), columns: rect.columns,
      style: context.theme.rule)
  }

  /// Number of products for sale, and date of the oldest.
  private var facts: SafeText {
    let strings = context.strings
    let count = visit.productCount.map { strings.counted(.sellerProducts, $0) }
    let since = visit.since.map {
      strings(.sellerSince, DateText.day($0, now: context.now, strings))
    }
    return [count, since].compactMap(\.self).joined(separator: " · ")
  }

  /// Draws the contact with the key that copies it, or that there is none.
  private func drawContact(on canvas: inout Canvas, in row: CellRect) {
    let (strings, theme) = (context.strings, context.theme)
    guard let contact = visit.contact else {
      let none = strings[isOwn ? .sellerContactNoneOwn : .sellerContactNone]
      canvas.write(none.truncated(toColumns: row.columns), at: row.origin, style: theme.secondary)
      return
    }
    let text = strings(.sellerContact, contact).truncated(toColumns: row.columns)
    canvas.write(text, at: row.origin, style: theme.strong)
    let copy = strings[.sellerContactCopy]
    let start = text.columns + 3
    guard start + key.columns + 1 + copy.columns <= row.columns else { return }
    canvas.write(key, at: row.origin.moved(columns: start), style: theme.accent)
    canvas.write(
      copy, at: row.origin.moved(columns: start + key.columns + 1), style: theme.secondary)
  }

  /// Contact at a point; nil for none.
  func contact(at point: CellPoint) -> SafeText? {
    rect.rows > 2 && rect.row(1).contains(point) ? visit.contact : nil
  }
}
