import MarketAPI
import MarketModel
import Synchronization

extension HTTPProductRepository {
  package func register(
    _ registration: ProductRegistration, by author: Author, key: IdempotencyKey
  ) async throws(RepositoryError) -> ProductDetail {
    let server = try await server()
    if !server.capabilities.isIdempotent, await mayHaveArrived(key),
      let arrived = try await arrived(registration, at: server)
    {
      close(key)
      return arrived
    }
    do throws(RepositoryError) {
      let detail = try await detail(answering: .register(registration, author, key), from: server)
      close(key)
      return detail
    } catch {
      if error.leavesOutcomeOpen { openRegistrations.withLock { _ = $0.insert(key) } }
      throw error
    }
  }

  package func seller(of identifier: SellerIdentifier) async throws(RepositoryError) -> Seller? {
    do throws(RepositoryError) {
      return try await seller(answering: .seller(identifier))
    } catch .notFound {
      return nil
    } catch {
      throw error
    }
  }

  package func rename(
    _ identifier: SellerIdentifier, to name: String
  ) async throws(RepositoryError) -> Seller {
    try await seller(answering: .rename(identifier, name))
  }
}

extension HTTPProductRepository {
  private func seller(
    answering operation: MarketOperation
  ) async throws(RepositoryError) -> Seller {
    let server = try await server()
    guard server.isExtended, let products = server.products else { throw .unsupported }
    let response = try await answer(to: operation, from: server)
    return try products.seller(from: response, for: operation)
  }

  private func mayHaveArrived(_ key: IdempotencyKey) async -> Bool {
    if openRegistrations.withLock({ $0.contains(key) }) { return true }
    return await surroundings.wasSentBefore(key)
  }

  private func close(_ key: IdempotencyKey) {
    openRegistrations.withLock { _ = $0.remove(key) }
  }

  /// Looks among the latest products for one that is just like the registration.
  private func arrived(
    _ registration: ProductRegistration, at server: KnownServer
  ) async throws(RepositoryError) -> ProductDetail? {
    for product in try await latestProducts(at: server) where registration.describes(product) {
      let detail = try await detail(of: product.id)
      if registration.describes(detail) { return detail }
    }
    return nil
  }

  /// Newest first; where the order is the server's own, what stands at either end.
  private func latestProducts(
    at server: KnownServer
  ) async throws(RepositoryError) -> [Product] {
    guard server.products == nil else { return try await page(PageRequest()).products }
    let products = try await ListEnds.products { number throws(RepositoryError) in
      try await page(PageRequest(position: .number(number))).products
    }
    return products.reversed()
  }
}
