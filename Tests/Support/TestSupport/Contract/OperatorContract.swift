import MarketModel

/// What every market with an operator keeps, whichever database is behind it.
package struct OperatorContract: Sendable, CustomStringConvertible {
  /// A market that is empty at first.
  package typealias Market = any ServedMarket & OperatedMarket

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

  private static let identifier = SellerIdentifier(secret: "an-app-with-a-number")
  private static let app = Author.seller(identifier)

  package static let cases = numbers + removing + passwords + blocking + questions

  private static let numbers = [
    OperatorContract("an identifier gets its number and name before its first product") { market in
      let number = Seller.ID(rawValue: 6)

      let set = try await market.setSeller(identifier, number: number, name: "Hana")
      let product = try await market.register(.sample(), by: app).product
      let next = try await market.register(.sample(), by: .named("b")).product.seller

      try promise(set, is: .set(Seller(id: number, name: "Hana")))
      try promise(product.seller, is: Seller(id: number, name: "Hana"))
      try promise(next.id.rawValue > 6, "the next seller has number \(next.id.rawValue)")
    },
    OperatorContract("a seller without products gets another number, and keeps a chosen name") {
      market in
      let chosen = SellerIdentifier(secret: "chosen")
      _ = try await market.rename(chosen, to: "Minsu")
      _ = try await market.setSeller(identifier, number: nil, name: nil)

      let named = try await market.setSeller(chosen, number: Seller.ID(rawValue: 40), name: nil)
      let unnamed = try await market.setSeller(
        identifier, number: Seller.ID(rawValue: 50), name: nil)
      let next = try await market.register(.sample(), by: .named("b")).product.seller

      try promise(named, is: .set(Seller(id: Seller.ID(rawValue: 40), name: "Minsu")))
      try promise(unnamed, is: .set(Seller(unnamed: Seller.ID(rawValue: 50))))
      try promise(try await market.seller(of: chosen)?.id.rawValue, is: 40)
      try promise(next.id.rawValue > 50, "the next seller has number \(next.id.rawValue)")
    },
    OperatorContract("a number that is taken is refused, and so is another one for who sells") {
      market in
      let other = try await market.register(.sample(), by: .named("b")).product.seller
      let number = Seller.ID(rawValue: other.id.rawValue + 10)

      let taken = try await market.setSeller(identifier, number: other.id, name: "Hana")
      _ = try await market.setSeller(identifier, number: number, name: "Hana")
      _ = try await market.register(.sample(name: "mug"), by: app)
      let late = try await market.setSeller(
        identifier, number: Seller.ID(rawValue: number.rawValue + 1), name: "Dul")
      let renamed = try await market.setSeller(identifier, number: number, name: "Set")

      try promise(taken, is: .numberTaken)
      try promise(late, is: .sells(as: Seller(id: number, name: "Hana")))
      try promise(renamed, is: .set(Seller(id: number, name: "Set")))
      let page = try await market.page(PageRequest(query: ProductQuery(text: "set")))
      try promise(page.products.map(\.name), is: ["mug"])
      try await promise(.invalid([FieldError(.name, .missing)])) { () throws(RepositoryError) in
        try await market.setSeller(identifier, number: nil, name: "")
      }
    },
  ]

  private static let removing = [
    OperatorContract("a product is removed without its password") { market in
      let kept = try await market.register(.sample(name: "mug")).id
      let removed = try await market.register(.sample(name: "cup"), by: app)

      let answer = try await market.remove(removed.id)

      try promise(answer, is: removed)
      try promise(try await market.page(PageRequest()).products.map(\.id), is: [kept])
      try await promise(.notFound) { () throws(RepositoryError) in
        try await market.remove(removed.id)
      }
    }
  ]

  private static let passwords = [
    OperatorContract("a product gets another password, and its tries are forgotten") { market in
      let product = try await market.register(.sample(name: "mug"), by: app)
      let other = try await market.register(.sample(name: "cup"), by: app)
      let origin = AttemptOrigin(address: "192.0.2.1", author: app)
      _ = try await market.changeAttempts(on: product.id, by: origin) { $0.wrongCount = 3 }

      let answer = try await market.setPassword(Password("new"), of: product.id)

      try promise(answer, is: product.product)
      try promise(try await market.detail(of: product.id), is: product)
      try await market.verify(Password("new"), for: product.id, by: app)
      try await market.verify(Password("secret"), for: other.id, by: app)
      try await promise(.wrongPassword) { () throws(RepositoryError) in
        try await market.verify(Password("secret"), for: product.id, by: app)
      }
      let wrong = try await market.changeAttempts(on: product.id, by: origin) { $0.wrongCount }
      try promise(wrong, is: 0)
      _ = try await market.delete(product.id, password: Password("new"), by: app)
    },
    OperatorContract("a password that breaks the rules changes nothing, nor one of no product") {
      market in
      let id = try await market.register(.sample(), by: app).id

      for password in ["", String(repeating: "x", count: 1_025)] {
        do {
          _ = try await market.setPassword(Password(password), of: id)
          throw UnexpectedError(description: "took a password of \(password.count) bytes")
        } catch let error as RepositoryError {
          guard case .invalid = error else { throw error }
        }
      }
      try await promise(.notFound) { () throws(RepositoryError) in
        try await market.setPassword(Password("new"), of: Product.ID(rawValue: 99))
      }
      try await market.verify(Password("secret"), for: id, by: app)
    },
  ]

  private static let questions = [
    OperatorContract("questions are found by their askers, hidden ones too, and removed") {
      market in
      let id = try await market.register(.sample(), by: app).id
      let askers = [SellerIdentifier(secret: "a"), SellerIdentifier(secret: "b")]
      for number in 0..<5 {
        _ = try await market.ask(
          NewQuestion(text: "Question \(number)"), about: id, by: askers[number % 2],
          key: IdempotencyKey(rawValue: "\(number)"))
      }
      let first = try await market.seller(of: askers[0])?.id
      _ = try await market.setBlocked(true, first ?? Seller.guest.id)

      let all = try await market.questions(by: nil, below: nil, atMost: 3)
      let rest = try await market.questions(by: nil, below: all.last?.question.id, atMost: 3)
      let own = try await market.questions(by: first, below: nil, atMost: 10)
      try await market.removeQuestion(own[0].question.id)

      try promise(
        (all + rest).map(\.question.text), is: (0..<5).reversed().map { "Question \($0)" })
      try promise(own.map(\.question.text), is: ["Question 4", "Question 2", "Question 0"])
      try promise(own.allSatisfy { $0.asker.id == first }, "an asker has another number")
      try promise(try await market.detail(of: id).questionCount, is: 2)
      try promise(try await market.questions(by: first, below: nil, atMost: 10).count, is: 2)
      try await promise(.notFound) { () throws(RepositoryError) in
        try await market.removeQuestion(own[0].question.id)
      }
      _ = try await market.setBlocked(false, first ?? Seller.guest.id)
      try promise(try await market.detail(of: id).questionCount, is: 4)
    }
  ]

  private static let blocking = [
    OperatorContract("nothing is taken from a blocked seller until it is unblocked") { market in
      let mine = try await market.register(.sample(name: "mug"), by: app)
      let guests = try await market.register(.sample(name: "cup")).id
      let seller = mine.product.seller
      let password = Password("secret")

      let blocked = try await market.setBlocked(true, seller.id)

      try promise(blocked, is: seller)
      try await promise(.blocked) { () throws(RepositoryError) in
        try await market.register(.sample(), by: app)
      }
      for author in [app, .guest] {
        try await promise(.blocked) { () throws(RepositoryError) in
          try await market.verify(password, for: mine.id, by: author)
        }
        try await promise(.blocked) { () throws(RepositoryError) in
          try await market.update(
            mine.id, with: ProductPatch(stock: 1), password: password, by: author, expecting: nil)
        }
        try await promise(.blocked) { () throws(RepositoryError) in
          try await market.delete(mine.id, password: password, by: author)
        }
        try await promise(.blocked) { () throws(RepositoryError) in
          try await market.delete(mine.id, by: author)
        }
      }
      try await promise(.blocked) { () throws(RepositoryError) in
        try await market.delete(guests, password: password, by: app)
      }
      try await promise(.blocked) { () throws(RepositoryError) in
        try await market.rename(identifier, to: "Other")
      }
      try promise(try await market.detail(of: mine.id), is: mine)
      _ = try await market.register(.sample(), by: .named("b"))

      _ = try await market.setBlocked(false, seller.id)

      _ = try await market.delete(mine.id, password: password, by: app)
    },
    OperatorContract("guests are blocked by their number, and nobody has another one's") { market in
      let sold = try await market.register(.sample(), by: app).id
      let before = try await market.register(.sample()).id

      _ = try await market.setBlocked(true, Seller.guest.id)

      try await promise(.blocked) { () throws(RepositoryError) in
        try await market.register(.sample())
      }
      try await promise(.blocked) { () throws(RepositoryError) in
        try await market.delete(before, password: Password("secret"), by: .guest)
      }
      _ = try await market.delete(sold, password: Password("secret"), by: .guest)
      try await promise(.notFound) { () throws(RepositoryError) in
        try await market.setBlocked(true, Seller.ID(rawValue: 99))
      }
    },
  ]
}

extension ServedMarket {
  /// The number of products that have these words.
  package func count(finding text: String) async throws -> Int {
    try await exactTotal(of: ProductQuery(text: text))
  }
}
