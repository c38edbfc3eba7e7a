import MarketAPI
import MarketModel

/// Service that performs the operations of all dialects on a market.
struct MarketService: Sendable {
  /// Attempts to read a page and its descriptions at one data version; after the last, the page is
  /// returned as it is.
  private static let describingAttempts = 4

  private let market: any ServedMarket
  private let cache: ServerCache
  private let passwords: PasswordGuard
  let tokens: DeletionTokens
  private let deletedPictures: DeletedPictures

  init(
    _ market: any ServedMarket, _ cache: ServerCache = ServerCache(MetricsRegistry()),
    now: @escaping @Sendable () -> Int64
  ) {
    (self.market, self.cache) = (market, cache)
    passwords = PasswordGuard(market: market, now: now)
    tokens = DeletionTokens(market: market)
    deletedPictures = DeletedPictures(now: now)
  }

  /// Performs an operation for a client at `address`.
  /// - Throws: what the market's method of the operation throws, and `.tooManyAttempts` after too many
  ///   wrong passwords.
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
          registration, by: author, key: key?.scoped(to: author, at: address) ?? .random()))
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
        try await delete(
          try await tokens.product(of: token, naming: id, author: author), by: author))
    case .seller(let identifier): .seller(try await seller(of: identifier))
    case .changeSeller(let identifier, let change):
      .seller(try await market.change(identifier, change))
    case .question(let question): try await result(of: question, for: address)
    case .report(var report, let author): try await reported(&report, by: author, from: address)
    case .picture(let address): .picture(try await picture(at: address, by: method))
    }
  }

  /// Returns a picture of a product, or of one that was deleted a moment ago.
  private func picture(
    at address: PictureAddress, by method: HTTPMethod
  ) async throws(RepositoryError) -> ServedPicture {
    do throws(RepositoryError) {
      return try await market.servedPicture(
        at: address.locator, address.rendition, for: method == .head ? .head : .get)
    } catch {
      guard error == .notFound, let file = deletedPictures.file(at: address) else { throw error }
      return .file(file)
    }
  }

  private func reported(
    _ report: inout NewReport, by author: Author, from address: String
  ) async throws(RepositoryError) -> MarketResult {
    report.network = ClientNetwork(of: address).text
    try await market.report(report, by: author)
    return .reported
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
      return .question(
        try await passwords.answer(
          id, with: answer, by: author, password: password, from: address))
    case .delete(let id, let author, let password):
      try await passwords.deleteQuestion(id, by: author, password: password, from: address)
      return .questionDeleted
    }
  }

  /// Returns a seller with a number; the request creates none.
  /// - Throws: `.notFound` if the identifier has sold nothing.
  private func seller(of identifier: SellerIdentifier) async throws(RepositoryError) -> Seller {
    guard let seller = try await market.seller(of: identifier) else { throw .notFound }
    return seller
  }

  /// Returns a page within the size limit: after a cursor it has fewer products, by number it has all
  /// products with shorter descriptions.
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

  /// Returns a page with descriptions and an exact total.
  ///
  /// Where the store keeps no rows, descriptions are read after their products. If the data changed in between, they may belong to a
  /// later edit, or those of a deleted product may be missing, so both are read again.
  private func describedPage(
    _ request: PageRequest
  ) async throws(RepositoryError) -> ProductPage {
    var version = await market.presentDataVersion()
    for _ in 1..<Self.describingAttempts {
      let page = try await pageWithTexts(request)
      // Rows have been read with their texts.
      guard page.rows.isEmpty else { return page }
      let present = await market.askedDataVersion()
      if version == present { return page }
      version = present
    }
    return try await pageWithTexts(request)
  }

  private func pageWithTexts(
    _ request: PageRequest
  ) async throws(RepositoryError) -> ProductPage {
    var request = request
    request.hasRows = true
    var page = try await countedPage(request)
    if page.rows.isEmpty {
      page.descriptions = try await market.descriptions(
        of: page.products.map(\.id), atMost: ListedRow.characters)
    }
    return page
  }

  /// Returns a page with its total, which is exact for the unfiltered list.
  ///
  /// Counting takes most of the time, so the total is cached for the other pages of the query. If the
  /// data changed meanwhile, the page and its total may not agree, so both are read again. Without a
  /// data version nothing is cached.
  private func countedPage(_ request: PageRequest) async throws(RepositoryError) -> ProductPage {
    let (query, version) = (request.query, await market.presentDataVersion())
    let key = ServerCacheKey.total(
      PageRequest(query: query, countsExactly: request.countsExactly))
    if case .total(let count) = cache.value(for: key, at: version) {
      let page = try await market.page(request, of: count)
      // The total of all products comes with any page, in every store.
      let present =
        query.isNarrowed ? await market.askedDataVersion() : await market.presentDataVersion()
      if version == present { return page }
    }
    let page = try await market.page(request)
    // A total newer than the version is fine.
    if case .exactly(let count) = page.total, let version {
      cache.store(.total(count), for: key, at: version)
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
    // Clients send back the tag of a response.
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
      try await market.verify(password, for: id, by: origin.author)
    }
    return try await delete(id, by: origin.author)
  }

  /// Deletes a product of an author whose password was checked; its pictures, which the response
  /// names, stay available for a while.
  private func delete(
    _ id: Product.ID, by author: Author
  ) async throws(RepositoryError) -> ProductDetail {
    let pictures = try await market.detail(of: id).picturesOrThumbnail
    var files: [PictureAddress: [UInt8]] = [:]
    for picture in pictures {
      for rendition in [PictureRendition.thumbnail, .original] {
        let locator = picture.locator(of: rendition)
        // A missing picture must not prevent the deletion.
        files[PictureAddress(locator: locator, rendition: rendition)] =
          try? await market.picture(at: locator, rendition)
      }
    }
    let deleted = try await market.delete(id, by: author)
    deletedPictures.keep(files)
    return deleted
  }

  /// Deletes with a password sent in place of the token.
  /// - Throws: `.wrongPassword` if the seller has no identifier to sign in with, else what `delete`
  ///   throws.
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
  /// Key as stored; that of a guest contains the address, since guests have no identifier.
  fileprivate func scoped(to author: Author, at address: String) -> IdempotencyKey {
    guard author == .guest else { return self }
    return IdempotencyKey(rawValue: address + "\n" + rawValue)
  }

  /// Creates a random key for a client that sends none.
  fileprivate static func random() -> IdempotencyKey {
    let words = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }
    return IdempotencyKey(rawValue: words.joined(separator: "-"))
  }
}
