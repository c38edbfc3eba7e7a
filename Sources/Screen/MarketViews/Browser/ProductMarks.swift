internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeText
internal import TerminalKit

/// Short marks of a product among others: its age, and its stock where that is worth a word.
struct ProductMarks {
  let product: Product
  let feed: ProductFeed
  let context: RenderContext

  private static let most: Int64 = 999

  /// How long it is for sale, or that it was registered just now and stands on top for that.
  var age: (text: SafeText, style: Style) {
    if product.id == feed.newlyRegistered {
      return (context.strings[.ageNew], context.theme.accent.adding(.bold))
    }
    return (
      AgeText.compact(product.created, now: context.now, context.strings), context.theme.secondary
    )
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
