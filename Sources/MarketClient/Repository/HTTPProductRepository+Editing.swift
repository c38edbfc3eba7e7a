import MarketAPI
import MarketModel

extension HTTPProductRepository {
  package func verify(
    _ password: Password, for id: Product.ID, by author: Author
  ) async throws(RepositoryError) {
    let server = try await server()
    try await distinguishing(id, on: server) { () throws(RepositoryError) in
      // Elsewhere an edit that names nothing may do anything: the first step of deleting is what
      // clients of such servers check passwords with.
      if let products = server.products, !server.isExtended {
        _ = try await deletionKey(id, password, author, in: products, from: server)
      } else {
        _ = try await detail(answering: .verify(id, password, author), from: server)
      }
    }
  }

  package func update(
    _ id: Product.ID, with patch: ProductPatch, password: Password, by author: Author,
    expecting expected: ProductVersion?
  ) async throws(RepositoryError) -> ProductDetail {
    let server = try await server()
    if case .list? = patch.pictures, !server.capabilities.changesPictures { throw .unsupported }
    var update = ProductUpdate(
      id: id, patch: patch, password: password, author: author, expected: expected)
    if !server.capabilities.hasVersions {
      let current = try await detail(of: id)
      if let expected, expected != current.version { throw .conflict(current: current) }
      update.expected = nil
      if let price = current.product.pricing.price {
        update.patch = try server.dialect.patch(patch, changing: price)
      }
      update.patch.pictures = try await sendable(update.patch.pictures)
    }
    let final = update
    return try await distinguishing(id, on: server) { () throws(RepositoryError) in
      let changed = try await detail(answering: .update(final), from: server)
      await forget(id, at: server)
      return changed
    }
  }

  package func delete(
    _ id: Product.ID, password: Password, by author: Author
  ) async throws(RepositoryError) -> ProductDetail {
    let server = try await server()
    let current = try await detail(of: id)
    let last: MarketOperation
    if let products = server.products {
      last = .confirmDeletion(
        try await deletionKey(id, password, author, in: products, from: server), author)
    } else {
      last = .delete(id, password, .product)
    }
    let response = try await answer(to: last, from: server)
    var deleted = try server.dialect.deleted(from: response, for: last) ?? current
    deleted.version = current.version
    await forget(id, at: server)
    return deleted
  }
}

extension HTTPProductRepository {
  /// The first step of deleting; a server of the other year lacks the route of this one.
  private func deletionKey(
    _ id: Product.ID, _ password: Password, _ author: Author, in dialect: ProductsDialect,
    from server: KnownServer
  ) async throws(RepositoryError) -> DeletionKey {
    let likely = dialect.deletionRoute
    var failure = RepositoryError.unsupported
    for route in [likely, likely == .secret ? .archived : .secret] {
      let operation = MarketOperation.requestDeletion(id, password, author, route)
      let response = try await answer(to: operation, from: server)
      do throws(RepositoryError) {
        return try dialect.deletionKey(from: response, for: operation)
      } catch {
        guard error == .notFound || error == .unsupported else { throw error }
        failure = error
      }
    }
    throw failure
  }

  /// Servers of items answer a wrong password like a missing product: asking for the product tells
  /// which of the two it was.
  private func distinguishing<Answer: Sendable>(
    _ id: Product.ID, on server: KnownServer,
    _ body: () async throws(RepositoryError) -> Answer
  ) async throws(RepositoryError) -> Answer {
    do throws(RepositoryError) {
      return try await body()
    } catch {
      if error == .wrongPassword, server.products == nil { _ = try await detail(of: id) }
      throw error
    }
  }

  /// Where a list of pictures replaces the whole set, those that stay are sent again.
  private func sendable(
    _ pictures: ProductPatch.Pictures?
  ) async throws(RepositoryError) -> ProductPatch.Pictures? {
    guard case .list(let elements)? = pictures else { return pictures }
    let source = HTTPPictureSource(over: connection)
    var files: [ProductPatch.Pictures.Element] = []
    for element in elements {
      switch element {
      case .new: files.append(element)
      case .kept(let picture): files.append(.new(try await source.file(of: picture)))
      }
    }
    return .list(files)
  }
}
