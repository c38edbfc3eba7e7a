internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// Marks of a product in a list: age, stock and changes.
struct ProductMarks {
  let product: Product
  let marks: RowMarks
  let context: RenderContext

  private static let most: Int64 = 999

  private static let dot: SafeText = "● "
  private static let new: SafeText = "•"
  private static let remembered: SafeText = "&"
  private static let check: SafeText = " ✓ "

  /// Whether the product no longer exists or was removed.
  var isGone: Bool { marks.news == .deleted || marks.fate != nil }

  /// Text in place of the price for a removed or deleted product; nil for others.
  var fate: SafeText? {
    switch marks.fate {
    case .removed: context.strings[.rowRemoved]
    case .gone(let since):
      context.strings(.rowGoneSince, DateText.day(since, now: context.now, context.strings))
    case nil: marks.news == .deleted ? context.strings[.rowDeleted] : nil
    }
  }

  /// Age of the product in up to `columns`, or that it has just changed or was just registered.
  func age(columns: Int) -> (text: SafeText, style: Style) {
    if marks.news == .changed {
      return (Self.dot + context.strings[.compactNow], context.theme.accent.adding(.bold))
    }
    if marks.isJustRegistered {
      return (context.strings[.ageNew], context.theme.accent.adding(.bold))
    }
    return (
      AgeText.short(product.created, now: context.now, columns: columns, context.strings),
      context.theme.secondary
    )
  }

  /// Returns condition, place and age in up to `columns`, or the age alone.
  func end(columns: Int) -> (facts: SafeText, age: SafeText, ageStyle: Style) {
    let short = age(columns: 0)
    let facts = facts(columns: columns - Self.separator.columns - short.text.columns)
    guard facts.isEmpty else { return (facts + Self.separator, short.text, short.style) }
    let age = age(columns: columns)
    return (.empty, age.text, age.style)
  }

  /// Returns condition and place in up to `columns`.
  func facts(columns: Int) -> SafeText {
    AdditionalFields.short(of: product, columns: columns, context.strings)
  }

  static let separator: SafeText = " · "

  /// Text before the name of a product that has just changed where no age shows it, and on plain
  /// screens.
  func prefix(hasAge: Bool) -> SafeText {
    if context.isPlain { return spoken }
    guard marks.news == .changed, !hasAge else { return star }
    return Self.dot + star
  }

  /// Mark before the name of a product marked for bulk edit; nil for others, and on plain screens,
  /// which use a word.
  var mark: (text: SafeText, style: Style)? {
    guard marks.isMarked, !context.isPlain else { return nil }
    return (Self.check, context.theme.accent.adding(.reverse))
  }

  /// Star before the name of a favorite; a word on plain screens.
  var star: SafeText {
    guard marks.isFavorite else { return .empty }
    return context.isPlain ? context.strings[.rowFavorite] + ": " : "★ "
  }

  /// Marks as words before the name.
  private var spoken: SafeText {
    let words = [
      marks.isMarked ? context.strings[.rowMarked] : nil,
      marks.isRemembered ? context.strings[.rowRemembered] : nil,
      marks.news == .changed ? context.strings[.rowChanged] : nil,
      marks.isNew ? context.strings[.ageNew] : nil, move?.words(context.strings),
    ]
    return words.compactMap(\.self).reduce(.empty) { $0 + $1 + ": " } + star
  }

  /// Change of price since the product was last seen; nil without one, and where the product is gone.
  var move: PriceChange? {
    isGone ? nil : PriceChange(from: marks.previousPrice, to: product.pricing)
  }

  /// Sign in the cell before the name for a remembered or new product or a changed price; nil for none.
  var sign: (text: SafeText, style: Style)? {
    if context.isPlain { return nil }
    if marks.isRemembered { return (Self.remembered, context.theme.accent) }
    if marks.isNew { return (Self.new, context.theme.accent) }
    return move.map { ($0.arrow, $0.style(context.theme)) }
  }

  /// Style of the name: struck through and dimmed for a product that is gone.
  var nameStyle: Style {
    if isGone { return context.theme.oldPrice }
    return product.isSoldOut ? context.theme.secondary : context.theme.text
  }

  /// Stock above one; nil for less.
  var stock: SafeText? {
    switch product.stock {
    case ...1: nil
    case ...Self.most: "×" + SafeText(Int(product.stock))
    default: "×" + SafeText(Int(Self.most)) + "+"
    }
  }
}
