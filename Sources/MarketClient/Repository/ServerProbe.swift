import MarketAPI
import MarketModel

/// Finds out what a server speaks by asking it harmless things.
struct ServerProbe {
  let connection: ServerConnection

  /// - Parameter generation: what the user says it is; nil where the server shall tell.
  /// - Returns: what the server is.
  /// - Throws: `.unreachable` where nothing answers, `.badAnswer(.notAMarket)` where no answer
  ///   looks like a market's.
  func run(expecting generation: APIGeneration?) async throws(RepositoryError) -> KnownServer {
    if generation == .items { return KnownServer(.items, isExtended: false) }
    let health = try await answer("/healthChecker")
    if let generation {
      return KnownServer(generation, isExtended: health.announcesExtensions)
    }
    let products = try await answer("/api/products?page_no=1&items_per_page=1")
    if let generation = Self.generation(ofPage: products) {
      return KnownServer(generation, isExtended: products.announcesExtensions)
    }
    let items = try await answer("/items/1")
    guard items.status.isSuccess, Self.root(of: items)?["items"]?.isArray == true else {
      throw .badAnswer(.notAMarket)
    }
    return KnownServer(.items, isExtended: false)
  }

  private func answer(_ target: RequestTarget) async throws(RepositoryError) -> HTTPResponse {
    do throws(TransportError) {
      return try await connection.answer(
        to: HTTPRequest(.get, target, headers: [HeaderName.accept: "application/json"]))
    } catch {
      throw RepositoryError(error)
    }
  }

  /// The pages of 2023 name their number in camel case; those of 2022 date with a fraction, also
  /// where a server sends the keys of both.
  private static func generation(ofPage response: HTTPResponse) -> APIGeneration? {
    guard response.status.isSuccess, let page = root(of: response), page["pages"]?.isArray == true
    else { return nil }
    var products = page["pages"]?.elements
    if let date = products?.next()?["created_at"]?.string, date.contains(".") {
      return .products2022
    }
    return page["pageNo"] == nil ? .products2022 : .products2023
  }

  private static func root(of response: HTTPResponse) -> JSONValue? {
    // What is no JSON is no market: that is the answer here, not a failure.
    (try? JSONDocument(parsing: response.body))?.root
  }
}
