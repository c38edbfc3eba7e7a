internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeText
internal import TerminalKit

/// Short marks of a product among others: its age, and its stock where that is worth a word.
struct ProductMarks {
  let product: Product
  /// Whether it was registered just now and stands on top for that.
  let isNew: Bool
  /// What happened to it while one looked.
  let news: LiveMarket.RowNews?
  let context: RenderContext

  private static let most: Int64 = 999

  private static let dot: SafeText = "● "

  /// How long it is for sale, or that it changed a moment ago, or was registered just now and stands on
  /// top for that.
  var age: (text: SafeText, style: Style) {
    if news == .changed {
      return (Self.dot + context.strings[.compactNow], context.theme.accent.adding(.bold))
    }
    if isNew {
      return (context.strings[.ageNew], context.theme.accent.adding(.bold))
    }
    return (
      AgeText.compact(product.created, now: context.now, context.strings), context.theme.secondary
    )
  }

  /// What stands before the name where it changed a moment ago and no age says so, or marks are not
  /// seen.
  func prefix(hasAge: Bool) -> SafeText {
    guard news == .changed else { return .empty }
    if context.isPlain { return context.strings[.rowChanged] + ": " }
    return hasAge ? .empty : Self.dot
  }

  /// The look of the name: struck and dimmer where there is no such product any more.
  var nameStyle: Style {
    if news == .deleted { return context.theme.oldPrice }
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

extension Phrase {
  static var rowChanged: Phrase { .named() }
  static var rowDeleted: Phrase { .named() }
}
