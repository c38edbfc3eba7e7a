import MarketModel
import MarketStrings
import MarketViewModels

/// What `new`, `edit` and `delete` do.
enum SellingOrder: Hashable {
  case register
  case edit(Product.ID)
  case delete(Product.ID)
}

/// What a product is to hold that `new` registers or `edit` changes.
struct SellingOptions: Hashable {
  /// Bytes of a description that standard input brings, at most.
  static let longestDescription = 1 << 20

  var entries = ProductEntries()
  /// Who sells from here from now on.
  var sellerName: String?
  /// Whether a deletion is meant.
  var isSure = false
}

extension Option<MarketOptions> {
  /// A field of a product.
  static func field(
    _ name: String, _ placeholder: String, _ field: ProductField, _ summary: Phrase
  ) -> Option {
    value(name, placeholder, summary) {
      $0.selling.entries.texts[field] = $1
      return true
    }
  }
}
