import MarketModel

/// What every log of changes keeps, whichever database is behind it.
package struct ChangeLogContract: Sendable, CustomStringConvertible {
  /// A market that is empty at first.
  package typealias Market = any ServedMarket & OperatedMarket & MarketArchive

  package let description: String
  private let body: @Sendable (Market) async throws -> Void

  init(_ description: String, _ body: @escaping @Sendable (Market) async throws -> Void) {
    self.description = description
    self.body = body
  }

  /// Runs the case on a market that is empty and for this case alone.
  package func run(on market: Market) async throws {
    try await body(market)
  }

  package static let cases = telling + places + importing

  private static let author = Author.seller(identifier)
  private static let identifier = SellerIdentifier(secret: "a-seller-who-is-watched")
  private static let password = Password("secret")

  private static let telling = [
    ChangeLogContract("each change of a product is told once, with what it led to") { market in
      let start = try await market.changes(after: nil, atMost: 10)

      let mug = try await market.register(.sample(name: "mug"), by: author)
      let cup = try await market.register(.sample(name: "cup"))
      let changed = try await market.update(
        mug.id, with: ProductPatch(stock: 1), password: password, by: author, expecting: nil)
      _ = try await market.update(
        mug.id, with: ProductPatch(), password: password, by: author, expecting: nil)
      _ = try await market.remove(cup.id)
      _ = try await market.delete(mug.id, password: password, by: author)

      let batch = try await market.changes(after: start.cursor, atMost: 10)
      try promise(start.changes, is: [])
      try promise(!start.isReset && !batch.isReset, "nothing was missed")
      try promise(
        batch.changes,
        is: [
          change(.listed, mug), change(.listed, cup), change(.changed, changed),
          change(.deleted, cup), change(.deleted, mug),
        ])
      try promise(try await market.changes(after: batch.cursor, atMost: 10).changes, is: [])
    },
    ChangeLogContract("a seller's new name is told, and the same name again is not") { market in
      let seller = try await market.register(.sample(), by: author).product.seller
      let start = try await market.changes(after: nil, atMost: 10).cursor

      _ = try await market.rename(identifier, to: "Hana")
      _ = try await market.rename(identifier, to: "Hana")
      _ = try await market.setSeller(identifier, number: nil, name: "Dul")

      let batch = try await market.changes(after: start, atMost: 10)
      try promise(batch.changes, is: [.seller(seller.id), .seller(seller.id)])
    },
    ChangeLogContract("what is refused, or asked for again, is not told") { market in
      let key = IdempotencyKey(rawValue: "once")
      let mug = try await market.register(.sample(), by: author, key: key)
      let start = try await market.changes(after: nil, atMost: 10).cursor

      _ = try await market.register(.sample(), by: author, key: key)
      try await promise(.conflict(current: mug)) { () throws(RepositoryError) in
        try await market.update(
          mug.id, with: ProductPatch(stock: 1), password: password, by: author,
          expecting: ProductVersion(rawValue: "7"))
      }
      try await promise(.notOwner) { () throws(RepositoryError) in
        try await market.delete(mug.id, password: password, by: .named("b"))
      }

      try promise(try await market.changes(after: start, atMost: 10).changes, is: [])
    },
  ]

  private static let places = [
    ChangeLogContract("changes that are read in pieces are the same as those read at once") {
      market in
      let start = try await market.changes(after: nil, atMost: 1).cursor
      var ids: [Product.ID] = []
      for _ in 0..<7 { ids.append(try await market.register(.sample()).id) }

      for size in 1...8 {
        var cursor = start
        var read: [MarketChange] = []
        while case let batch = try await market.changes(after: cursor, atMost: size),
          !batch.changes.isEmpty
        {
          try promise(batch.changes.count <= size && !batch.isReset, "\(batch) of \(size)")
          read += batch.changes
          cursor = batch.cursor
          // What comes meanwhile is told behind the rest.
          if size == 3, ids.count == 7 {
            ids.append(try await market.register(.sample()).id)
          }
        }
        let told = read.compactMap(\.product?.id)
        try promise(told, is: size < 3 ? Array(ids.prefix(7)) : ids)
      }
    },
    ChangeLogContract("a place that the market never gave leads to the present one") { market in
      _ = try await market.register(.sample())
      let present = try await market.changes(after: nil, atMost: 10).cursor
      let forged = [
        "", "-", "_", "0", "1-", "-1-1", "1-1", "0-0", "1-1-1", "zzz", "9-9_9-9_9", "1-1_1-1",
        "zzzzzzzzzzzzzzzzzzzz-1", "1 - 1", "'; DROP TABLE change; --", "가-나", "\0-\0",
        String(repeating: "1-", count: 20_000) + "1", String(repeating: "9", count: 100_000),
        "1" + present.rawValue, present.rawValue + "-zzzzzz",
      ]

      for text in forged {
        let batch = try await market.changes(after: ChangeCursor(rawValue: text), atMost: 10)
        try promise(batch.isReset && batch.changes.isEmpty, "\(text.prefix(40)) was taken")
        let next = try await market.changes(after: batch.cursor, atMost: 10)
        try promise(!next.isReset && next.changes.isEmpty, "\(batch.cursor) is the present")
      }
    },
    ChangeLogContract("a place in which somebody has changed letters does no harm") { market in
      var cursor = try await market.changes(after: nil, atMost: 10).cursor
      for _ in 0..<3 { _ = try await market.register(.sample()) }
      var random = SeededRandom(seed: 13)
      let letters = Array("0123456789az-_. +\u{301}")
      for _ in 0..<400 {
        var text = Array(cursor.rawValue)
        for _ in 0...Int.random(in: 0...2, using: &random) {
          let at = Int.random(in: 0...text.count, using: &random)
          guard let letter = letters.randomElement(using: &random) else { continue }
          if at < text.count, Bool.random(using: &random) {
            text[at] = letter
          } else {
            text.insert(letter, at: at)
          }
        }
        let forged = ChangeCursor(rawValue: String(text))
        let batch = try await market.changes(after: forged, atMost: 2)
        try promise(batch.changes.count <= 2, "\(batch)")
        let next = try await market.changes(after: batch.cursor, atMost: 2)
        try promise(
          !(batch.isReset && next.isReset), "\(batch.cursor) was given after \(forged)")
        if Bool.random(using: &random) { cursor = next.cursor }
      }
    },
  ]

  private static let importing = [
    ChangeLogContract("an import tells few products one by one, and many as a reset") { market in
      let start = try await market.changes(after: nil, atMost: 10).cursor
      let run = try await market.beginImport()

      _ = try await run.prepare(products(1...3))()
      let few = try await market.changes(after: start, atMost: 10)
      _ = try await run.prepare(products(4...300))()
      let many = try await market.changes(after: few.cursor, atMost: 10)
      _ = try await run.prepare(products(1...300))()
      try await run.finish()
      let none = try await market.changes(after: many.cursor, atMost: 10)

      try promise(few.changes.map(\.product?.kind), is: [.listed, .listed, .listed])
      try promise(many.isReset && many.changes.isEmpty, "\(many)")
      try promise(!none.isReset && none.changes.isEmpty, "\(none)")
    }
  ]

  private static func change(_ kind: ProductChange.Kind, _ detail: ProductDetail) -> MarketChange {
    .product(
      ProductChange(
        id: detail.id, kind: kind, version: kind == .deleted ? nil : detail.version,
        seller: detail.product.seller.id))
  }

  private static func products(_ numbers: ClosedRange<Int>) -> ImportBatch {
    var batch = ImportBatch()
    guard let price = Price(full: Money(hundredths: 100, currency: .krw)) else { return batch }
    for number in numbers {
      let product = ArchivedProduct(
        seller: ArchivedSeller(id: nil, name: "Barn"), name: "fork \(number)", price: price,
        stock: 1, created: 0, changed: 0)
      batch.products.append(IncomingProduct(identity: Array("\(number)".utf8), product: product))
    }
    return batch
  }
}
