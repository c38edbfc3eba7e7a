import MarketModel

// What takes the place of versions and idempotency at servers that have neither: the product is read
// before it is written, and looked for before it is registered again.

extension MarketDialect {
  /// Edits a product after reading it: a version other than the expected one is a conflict.
  func updateAfterReading(
    _ update: ProductUpdate, over line: any ServerLine
  ) async throws(RepositoryError) -> MarketResult {
    var update = update
    if case .list? = update.patch.pictures,
      !capabilities(extended: line.isExtended).changesPictures
    {
      throw .unsupported
    }
    let current = try await product(answering: .detail(update.id), over: line)
    if let expected = update.expected, expected != current.version {
      throw .conflict(current: current)
    }
    update.expected = nil
    if let price = current.product.pricing.price {
      update.patch = try patch(update.patch, changing: price)
    }
    update.patch.pictures = try await files(of: update.patch.pictures, over: line)
    return try await exchange(.update(update), over: line)
  }

  /// Looks among the latest products for one that is just like a registration that was sent before,
  /// with an outcome that nobody knows.
  package func arrival(
    of registration: ProductRegistration, over line: any ServerLine
  ) async throws(RepositoryError) -> ProductDetail? {
    for product in try await latestProducts(over: line) where registration.describes(product) {
      let detail = try await self.product(answering: .detail(product.id), over: line)
      if registration.describes(detail) { return detail }
    }
    return nil
  }

  /// Where a list of pictures replaces the whole set, those that stay are sent again.
  private func files(
    of pictures: ProductPatch.Pictures?, over line: any ServerLine
  ) async throws(RepositoryError) -> ProductPatch.Pictures? {
    guard case .list(let elements)? = pictures else { return pictures }
    var files: [ProductPatch.Pictures.Element] = []
    for element in elements {
      switch element {
      case .new: files.append(element)
      case .kept(let picture): files.append(.new(try await line.file(of: picture)))
      }
    }
    return .list(files)
  }
}

extension ProductDetail {
  /// The product with a version in any case: where the server has none, a digest of everything an
  /// edit can change.
  ///
  /// A change that is made and undone in between goes unseen, and does no harm.
  var versioned: ProductDetail {
    guard version == nil else { return self }
    var digest = ContentDigest()
    for text in content { digest.add(text) }
    var detail = self
    detail.version = ProductVersion(rawValue: "content-" + String(digest.value, radix: 16))
    return detail
  }
}

extension ContentDigest {
  /// Adds a text and a byte that no text holds, so that texts do not run into each other.
  fileprivate mutating func add(_ text: String) {
    add(text.utf8)
    add(CollectionOfOne(0xFF))
  }
}
