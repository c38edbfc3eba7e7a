import MarketModel

/// What tables do for products that come in from elsewhere.
package protocol ImportTables: MarketTables {
  /// The highest number that a product has ever had; 0 where there was none.
  func highestProductID() throws(Failure) -> Int64

  /// Which products have come before, or are this market's own as they are now.
  func areThere(_ products: [IncomingProduct]) throws(Failure) -> [Bool]

  /// What a product is found by where its seller has this name.
  static func text(
    of product: ArchivedProduct, under sellerName: String, words: Words
  ) -> Text

  /// Inserts what is new of a portion.
  func take(
    _ rows: [ImportRow<Text>], pictures: [String: PreparedPicture], words: Words,
    remembering memory: inout ImportMemory
  ) throws(Failure) -> ImportReceipt

  /// Who is here already: with the same identifier, or without one by the same name.
  func knownSeller(_ archived: ArchivedSeller) throws(Failure) -> Seller?

  /// Whether a seller has this number.
  func isTaken(_ seller: Int64) throws(Failure) -> Bool

  /// Adds a seller.
  ///
  /// - Parameters:
  ///   - archived: its name and, where somebody can sign in, the hash of its identifier.
  ///   - number: nil for the next one: below 0 for who cannot sign in.
  /// - Returns: its number.
  /// - Throws: what the database answered.
  func add(_ archived: ArchivedSeller, number: Int64?) throws(Failure) -> Int64
}

extension ImportTables {
  /// The seller here of a product that comes in, who keeps the name that it has here; a new one with
  /// the same number, where that is free and of the right kind, where there is none.
  package func seller(
    of archived: ArchivedSeller, _ memory: inout ImportMemory
  ) throws(Failure) -> Seller {
    if let known = memory.sellers[archived] { return known }
    let seller: Seller
    if let known = try knownSeller(archived) {
      seller = known
    } else {
      var number = archived.keptID
      if let wanted = number, try isTaken(wanted) { number = nil }
      let id = try add(archived, number: number)
      seller = Seller(id: Seller.ID(rawValue: id), name: archived.name)
    }
    memory.sellers.remember(seller, for: archived)
    return seller
  }

  /// What a row's product is found by where its seller has this name.
  package func text(of row: ImportRow<Text>, under name: String, words: Words) -> Text {
    guard name != row.product.seller.name else { return row.text }
    return Self.text(of: row.product, under: name, words: words)
  }
}

/// A product that is ready to be inserted.
package struct ImportRow<Text: Sendable>: Sendable {
  package let key: [UInt8]
  package let product: ArchivedProduct
  /// What it is found by, under its seller's name where it comes from.
  package let text: Text
}
