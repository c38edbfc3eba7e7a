import MarketModel
import SQLiteKit
import StoreCore

extension Connection {
  /// Inserts all products of a seed; the caller holds the transaction.
  func insert(_ seed: SeedMarket, words grams: ProductGrams) throws(DatabaseError) {
    var pictures: [Int64] = []
    for picture in seed.pictures { pictures.append(try keep(picture)) }
    let password = try keep(passwordHash: seed.passwordHash)
    var sellers: [String: Seller] = [:]
    var tally = ProductTally()
    for product in seed.products {
      let seller = try seller(withoutIdentifier: product.seller, among: &sellers)
      let record = ProductRecord(
        seller: seller, name: product.name, description: product.description,
        price: product.price, stock: product.stock, created: product.created,
        changed: product.created, pictures: product.pictures.map { pictures[$0] },
        password: password)
      let tokens = grams.tokens(
        name: product.name, description: product.description,
        seller: (seller.id.rawValue, seller.name))
      _ = try insert(record, tokens: tokens, counting: &tally)
    }
    try record(tally)
  }

  /// The seller of a seed by its name; nobody can sign in as one.
  private func seller(
    withoutIdentifier name: String, among sellers: inout [String: Seller]
  ) throws(DatabaseError) -> Seller {
    if let known = sellers[name] { return known }
    let id = try integer(
      "SELECT id FROM seller INDEXED BY seller_of_name WHERE identifier IS NULL AND name = ?",
      .text(name))
    if id == nil {
      try run(
        "INSERT INTO seller (id, name) VALUES (?, ?)", .integer(try newUnidentifiedSellerID()),
        .text(name))
    }
    let seller = Seller(id: Seller.ID(rawValue: id ?? lastInsertedKey), name: name)
    sellers[name] = seller
    return seller
  }
}
