internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// The seller whose products are shown alone: two lines above them, with a rule under these.
struct SellerCard {
  let visit: SellerVisit
  /// Whether it is who sells from here.
  let isOwn: Bool
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
      canvas.write(
        contact.truncated(toColumns: columns), at: lines.row(1).origin,
        style: visit.contact == nil ? context.theme.secondary : context.theme.text)
    }
    canvas.horizontalRule(
      at: CellPoint(column: rect.minColumn, row: rule.minRow), columns: rect.columns,
      style: context.theme.rule)
  }

  /// How many products are for sale, and since when.
  private var facts: SafeText {
    let strings = context.strings
    let count = visit.productCount.map { strings.counted(.sellerProducts, $0) }
    let since = visit.since.map {
      strings(.sellerSince, DateText.day($0, now: context.now, strings))
    }
    return [count, since].compactMap(\.self).joined(separator: " · ")
  }

  private var contact: SafeText {
    visit.contact.map { context.strings(.sellerContact, $0) }
      ?? context.strings[isOwn ? .sellerContactNoneOwn : .sellerContactNone]
  }
}
