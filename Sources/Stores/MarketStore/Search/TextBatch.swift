import MarketModel
import StoreCore

/// Texts of a batch of products, indexed before anything else is known of them.
package final class BatchTexts: @unchecked Sendable {
  // Made by whoever prepares the batch and taken once, by the transaction that writes it; in between
  // nobody else has it.
  private var index: TokenIndex?

  init(of products: [ArchivedProduct], _ grams: ProductGrams) {
    var index = TokenIndex()
    var tokens = ProductTokens(grams.tokenizer)
    for product in products {
      tokens.removeAll()
      tokens.append(
        name: product.name, description: product.description, sellerName: product.seller.name)
      index.add(tokens.text)
    }
    self.index = consume index
  }

  fileprivate func take() -> TokenIndex? { index.take() }
}

/// Products of a batch with their numbers, which are to be made findable.
struct TextBatch {
  struct Product {
    let id: Int64
    let texts: IndexedTexts
    /// Its place among the texts that were indexed before.
    let place: Int
    /// Whether its seller has the same name here.
    let keepsName: Bool
  }

  private let texts: BatchTexts
  private(set) var products: [Product] = []

  init(_ texts: BatchTexts) {
    self.texts = texts
  }

  mutating func add(_ product: ArchivedProduct, id: Int64, of seller: Seller, at place: Int) {
    let texts = IndexedTexts(
      name: product.name, description: product.description, seller: seller.id.rawValue,
      sellerName: seller.name)
    products.append(
      Product(
        id: id, texts: texts, place: place, keepsName: product.seller.name == seller.name))
  }

  /// All tokens of the products.
  ///
  /// What was indexed before is taken as it is, but where the numbers do not rise or a seller has
  /// another name here.
  consuming func tokens(_ grams: ProductGrams) -> TokenBatch {
    guard let main = texts.take(), isRising else {
      return TokenBatch(TokenIndex(), [], adding: index(grams), sorted.map(\.id))
    }
    var ids = [Int64?](repeating: nil, count: main.documentCount)
    var added = TokenIndex()
    var tokens = ProductTokens(grams.tokenizer)
    for product in products {
      tokens.removeAll()
      if product.keepsName {
        ids[product.place] = product.id
        tokens.append(token: ProductGrams.token(ofSeller: product.texts.seller))
        added.add(tokens.text, after: main.tokenCounts[product.place])
      } else {
        append(product.texts, to: &tokens)
        added.add(tokens.text)
      }
    }
    return TokenBatch(main, ids, adding: added, products.map(\.id))
  }

  private var isRising: Bool {
    zip(products, products.dropFirst()).allSatisfy { $0.id < $1.id }
  }

  private var sorted: [Product] { products.sorted { $0.id < $1.id } }

  private func index(_ grams: ProductGrams) -> TokenIndex {
    var index = TokenIndex()
    var tokens = ProductTokens(grams.tokenizer)
    for product in sorted {
      tokens.removeAll()
      append(product.texts, to: &tokens)
      index.add(tokens.text)
    }
    return index
  }

  private func append(_ texts: IndexedTexts, to tokens: inout ProductTokens) {
    tokens.append(
      name: texts.name, description: texts.description, sellerName: texts.sellerName)
    tokens.append(token: ProductGrams.token(ofSeller: texts.seller))
  }
}
