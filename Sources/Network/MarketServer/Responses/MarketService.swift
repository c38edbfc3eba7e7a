import MarketAPI
import MarketModel

/// Service that does what operations say, on a market.
struct MarketService: Sendable {
  /// Characters of a product's text that a list shows.
  private static let listedCharacters = 1_000

  /// Times that a page and its texts are read until both are of one state.
  private static let describingAttempts = 4

  /// Counts that are remembered.
  private static let totalLimit = 1_000

  let market: any ServedMarket
  let passwords: PasswordGuard
  let tokens: DeletionTokens
  private let totals = VersionedCache<ProductQuery, Int>(limit: Self.totalLimit) { _ in 1 }

  init(_ market: any ServedMarket, now: @escaping @Sendable () -> Int64) {
    self.market = market
    passwords = PasswordGuard(market: market, now: now)
    tokens = DeletionTokens(market: market)
  }

  /// The result of an operation that a client at an address asks for by a method.
  func result(
    of operation: MarketOperation, by method: HTTPMethod, for address: String
  ) async throws(RepositoryError) -> MarketResult {
    switch operation {
    case .health: .healthy
    case .page(let request): .page(try await page(request))
    case .detail(let id): .detail(try await market.detail(of: id))
    case .register(let registration, let author, let key):
      .detail(
        try await market.register(
          registration, by: author, key: key?.kept(for: author, at: address) ?? .random()))
    case .verify(let id, let password, let author):
      .detail(try await verified(id, password, AttemptOrigin(address: address, author: author)))
    case .update(let update): .detail(try await self.update(update, from: address))
    case .delete(let id, let password, let author):
      .detail(try await delete(id, password, by: AttemptOrigin(address: address, author: author)))
    case .requestDeletion(let id, let password, let author):
      .deletionToken(
        try await token(for: id, password, AttemptOrigin(address: address, author: author)))
    case .confirmDeletion(let word, let id?, let author) where !DeletionTokens.canBeToken(word):
      .detail(
        try await deleteOwn(id, Password(word), by: AttemptOrigin(address: address, author: author))
      )
    case .confirmDeletion(let token, let id, let author):
      .detail(
        try await market.delete(
          try await tokens.product(of: token, naming: id, author: author), by: author))
    case .seller(let identifier): .seller(try await seller(of: identifier))
    case .changeSeller(let identifier, let change):
      .seller(try await market.change(identifier, change))
    case .question(let question): try await result(of: question, for: address)
    case .picture(let address):
      .picture(
        try await market.servedPicture(
          at: address.locator, address.rendition, for: method == .head ? .head : .get))
    }
  }

  private func result(
    of operation: QuestionOperation, for address: String
  ) async throws(RepositoryError) -> MarketResult {
    switch operation {
    case .page(let request): return .questions(try await market.questions(request))
    case .ask(let question, let product, let asker, let key):
      return .question(
        try await market.ask(question, about: product, by: asker, key: key ?? .random()))
    case .answer(let id, let answer, let author, let password):
      let origin = password.map { _ in AttemptOrigin(address: address, author: author) }
      return .question(
        try await passwords.trying(onQuestion: id, by: origin) { () throws(RepositoryError) in
          try await market.answer(id, with: answer, by: author, password: password)
        })
    case .delete(let id, let author, let password):
      let origin = password.map { _ in AttemptOrigin(address: address, author: author) }
      try await passwords.trying(onQuestion: id, by: origin) { () throws(RepositoryError) in
        try await market.deleteQuestion(id, by: author, password: password)
      }
      return .questionDeleted
    }
  }

  /// Asking makes nobody a seller; who has sold nothing here has no number yet.
  private func seller(of identifier: SellerIdentifier) async throws(RepositoryError) -> Seller {
    guard let seller = try await market.seller(of: identifier) else { throw .notFound }
    return seller
  }

  /// A page that keeps its bound: after a cursor what does not fit comes on the next one, by number
  /// all products stay, with less of their texts.
  private func page(_ request: PageRequest) async throws(RepositoryError) -> ProductPage {
    var page = try await describedPage(request)
    if case .after = request.position {
      let fitting = PageBound.fittingCount(of: page)
      if fitting < page.products.count {
        var shorter = request
        shorter.size = fitting
        page = try await describedPage(shorter)
      }
    }
    PageBound.cut(&page)
    return page
  }

  /// A page as v2 shows it: with the beginnings of texts, and counted exactly.
  ///
  /// Texts are read behind their products. Where something was written in between, as far as is known,
  /// they may be those of a later edit, or those of a deleted product missing, so both are read again.
  private func describedPage(
    _ request: PageRequest
  ) async throws(RepositoryError) -> ProductPage {
    var version = await market.presentDataVersion()
    for _ in 1..<Self.describingAttempts {
      let page = try await pageWithTexts(request)
      let present = await market.askedDataVersion()
      if version == present { return page }
      version = present
    }
    return try await pageWithTexts(request)
  }

  private func pageWithTexts(
    _ request: PageRequest
  ) async throws(RepositoryError) -> ProductPage {
    var page = try await countedPage(request)
    page.descriptions = try await market.descriptions(
      of: page.products.map(\.id), atMost: Self.listedCharacters)
    return page
  }

  /// A page with its total: exact for the whole list, as far as it is counted for whatever keeps
  /// products out.
  ///
  /// Counting takes most of the time, so it is remembered for the other pages of the same query, all
  /// of its parts. Where something was written meanwhile, as far as is known, the page and its count
  /// may not belong together, so both are asked again; of a market that cannot tell nothing is
  /// remembered.
  private func countedPage(_ request: PageRequest) async throws(RepositoryError) -> ProductPage {
    let (query, version) = (request.query, await market.presentDataVersion())
    if let count = totals.value(for: query, at: version) {
      let page = try await market.page(request, of: count)
      // What counts all products comes with any page, in every store.
      let present =
        query.isNarrowed ? await market.askedDataVersion() : await market.presentDataVersion()
      if version == present { return page }
    }
    var page = try await market.page(request)
    if case .atLeast = page.total, !query.isNarrowed {
      page.total = .exactly(try await market.exactTotal(of: query))
    }
    // One that is newer than the version goes with it.
    if case .exactly(let count) = page.total, let version {
      totals.keep(count, for: query, at: version)
    }
    return page
  }

  private func verified(
    _ id: Product.ID, _ password: Password, _ origin: AttemptOrigin
  ) async throws(RepositoryError) -> ProductDetail {
    try await passwords.trying(on: id, by: origin) { () throws(RepositoryError) in
      try await market.verify(password, for: id, by: origin.author)
    }
    return try await market.detail(of: id)
  }

  private func update(
    _ update: ProductUpdate, from address: String
  ) async throws(RepositoryError) -> ProductDetail {
    let origin = AttemptOrigin(address: address, author: update.author)
    // What a client sends back is the tag of an answer.
    let expected = update.expected.map(\.state)
    return try await passwords.trying(on: update.id, by: origin) { () throws(RepositoryError) in
      try await market.update(
        update.id, with: update.patch, password: update.password, by: update.author,
        expecting: expected)
    }
  }

  private func delete(
    _ id: Product.ID, _ password: Password, by origin: AttemptOrigin
  ) async throws(RepositoryError) -> ProductDetail {
    try await passwords.trying(on: id, by: origin) { () throws(RepositoryError) in
      try await market.delete(id, password: password, by: origin.author)
    }
  }

  /// Deletes by the password where a client sends it in the place of the key: a product of a seller
  /// who shows the identifier, and no other's.
  private func deleteOwn(
    _ id: Product.ID, _ password: Password, by origin: AttemptOrigin
  ) async throws(RepositoryError) -> ProductDetail {
    guard try await market.detail(of: id).product.seller.id.canSignIn else { throw .wrongPassword }
    return try await delete(id, password, by: origin)
  }

  private func token(
    for id: Product.ID, _ password: Password, _ origin: AttemptOrigin
  ) async throws(RepositoryError) -> String {
    try await passwords.trying(on: id, by: origin) { () throws(RepositoryError) in
      try await market.verify(password, for: id, by: origin.author)
    }
    return try await tokens.token(for: id, author: origin.author)
  }
}

extension IdempotencyKey {
  /// The key as the market keeps it: a guest's own by the address, for guests have no identifier.
  fileprivate func kept(for author: Author, at address: String) -> IdempotencyKey {
    guard author == .guest else { return self }
    return IdempotencyKey(rawValue: address + "\n" + rawValue)
  }

  /// A key for a client that sends none: an intent of its own.
  fileprivate static func random() -> IdempotencyKey {
    let words = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }
    return IdempotencyKey(rawValue: words.joined(separator: "-"))
  }
}
