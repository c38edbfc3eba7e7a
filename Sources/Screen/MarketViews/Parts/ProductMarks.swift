internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// Short marks of a product among others: its age, and its stock where that is worth a word.
struct ProductMarks {
  let product: Product
  let marks: RowMarks
  let context: RenderContext

  private static let most: Int64 = 999

  private static let dot: SafeText = "● "
  private static let new: SafeText = "•"
  private static let check: SafeText = " ✓ "

  /// Whether there is no such product any more.
  var isGone: Bool { marks.news == .deleted || marks.fate != nil }

  /// What became of it, in the place of the price; nil where it is there.
  var fate: SafeText? {
    switch marks.fate {
    case .removed: context.strings[.rowRemoved]
    case .gone(let since):
      context.strings(.rowGoneSince, DateText.day(since, now: context.now, context.strings))
    case nil: marks.news == .deleted ? context.strings[.rowDeleted] : nil
    }
  }

  /// How long it is for sale, in so many columns, or that it changed a moment ago, or was registered
  /// just now and stands on top for that.
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

  /// Condition and place before an age, all in so many columns, or the age alone.
  func end(columns: Int) -> (facts: SafeText, age: SafeText, ageStyle: Style) {
    let short = age(columns: 0)
    let facts = facts(columns: columns - Self.separator.columns - short.text.columns)
    guard facts.isEmpty else { return (facts + Self.separator, short.text, short.style) }
    let age = age(columns: columns)
    return (.empty, age.text, age.style)
  }

  /// Condition and place in so many columns.
  func facts(columns: Int) -> SafeText {
    AdditionalFields.short(of: product, columns: columns, context.strings)
  }

  private static let separator: SafeText = " · "

  /// What stands before the name where it changed a moment ago and no age says so, or marks are not
  /// seen.
  func prefix(hasAge: Bool) -> SafeText {
    if context.isPlain { return spoken }
    guard marks.news == .changed, !hasAge else { return star }
    return Self.dot + star
  }

  /// Stands before the name where it is marked to be changed with others; in plain screens a word does.
  var mark: (text: SafeText, style: Style)? {
    guard marks.isMarked, !context.isPlain else { return nil }
    return (Self.check, context.theme.accent.adding(.reverse))
  }

  /// What stands before the name where it is kept; in plain screens a word does.
  var star: SafeText {
    guard marks.isFavorite else { return .empty }
    return context.isPlain ? context.strings[.rowFavorite] + ": " : "★ "
  }

  /// The marks in words, before the name.
  private var spoken: SafeText {
    let words = [
      marks.isMarked ? context.strings[.rowMarked] : nil,
      marks.news == .changed ? context.strings[.rowChanged] : nil,
      marks.isNew ? context.strings[.ageNew] : nil, move?.words(context.strings),
    ]
    return words.compactMap(\.self).reduce(.empty) { $0 + $1 + ": " } + star
  }

  /// How the price moved since it was last seen; nil where it did not, or nothing can be bought.
  var move: PriceChange? {
    isGone ? nil : PriceChange(from: marks.formerPrice, to: product.pricing)
  }

  /// What stands in the cell before the name: that it is new, or that its price moved.
  var sign: (text: SafeText, style: Style)? {
    if context.isPlain { return nil }
    if marks.isNew { return (Self.new, context.theme.accent) }
    return move.map { ($0.arrow, $0.style(context.theme)) }
  }

  /// The look of the name: struck and dimmer where there is no such product any more.
  var nameStyle: Style {
    if isGone { return context.theme.oldPrice }
    return product.isSoldOut ? context.theme.secondary : context.theme.text
  }

  /// How many there are, where that is not one; nil also where none is left.
  var stock: SafeText? {
    switch product.stock {
    case ...1: nil
    case ...Self.most: "×" + SafeText(Int(product.stock))
    default: "×" + SafeText(Int(Self.most)) + "+"
    }
  }
}
