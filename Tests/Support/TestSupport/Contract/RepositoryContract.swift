import MarketModel

/// Contract of all our repositories, over memory, SQL or a server.
///
/// A test target runs all cases against its own repository:
///
///     @Test(arguments: RepositoryContract.cases)
///     func `keeps the contract`(_ contract: RepositoryContract) async throws {
///       try await contract.run(on: repository)
///     }
///
/// It imports no test library, so that it is a plain target; a broken promise is an error.
package struct RepositoryContract: Sendable, CustomStringConvertible {
  /// A repository that is empty at first.
  package typealias Repository = any ProductRepository

  package let name: String
  private let body: @Sendable (Repository) async throws -> Void

  init(_ name: String, _ body: @escaping @Sendable (Repository) async throws -> Void) {
    self.name = name
    self.body = body
  }

  package var description: String { name }

  /// Runs the case on a repository that is empty and for this case alone.
  package func run(on repository: Repository) async throws {
    try await body(repository)
  }

  package static let cases: [RepositoryContract] =
    registering + reading + searching + narrowing + changing + guarding

  /// The cases that a market behind HTTP can keep: the wire knows no guests, no empty cursor and no
  /// price to pay, refuses a missing picture before it reads the rest, and numbers pictures in details
  /// only.
  package static let casesOfTheWire = cases.filter { contract in
    [
      "seller", "a forged cursor", "a discount follows", "what breaks the rules",
      "pictures are added", "what is deleted",
    ].allSatisfy { !contract.name.contains($0) }
  }
}

/// A promise that a repository did not keep.
package struct UnexpectedError: Error, CustomStringConvertible {
  package let description: String

  package init(description: String) {
    self.description = description
  }
}

/// Fails unless something is as promised.
func promise(
  _ holds: Bool, _ what: @autoclosure () -> String, line: Int = #line, file: StaticString = #fileID
) throws {
  guard holds else { throw UnexpectedError(description: "\(file):\(line): \(what())") }
}

/// Fails unless two values are the same.
func promise<Value: Equatable>(
  _ value: Value, is expected: Value, line: Int = #line, file: StaticString = #fileID
) throws {
  try promise(value == expected, "\(value) is not \(expected)", line: line, file: file)
}

/// Fails unless a call fails with this error.
func promise<Answer>(
  _ error: RepositoryError, line: Int = #line, file: StaticString = #fileID,
  from call: () async throws(RepositoryError) -> Answer
) async throws {
  do {
    _ = try await call()
  } catch let thrown {
    return try promise(thrown, is: error, line: line, file: file)
  }
  throw UnexpectedError(description: "\(file):\(line): \(error) was expected")
}

extension ProductRepository {
  /// Registers by a key of its own.
  package func register(
    _ registration: ProductRegistration, by author: Author = .guest
  ) async throws(RepositoryError) -> ProductDetail {
    let key = IdempotencyKey(rawValue: String(UInt64.random(in: .min ... .max), radix: 36))
    return try await register(registration, by: author, key: key)
  }
}

/// What the cases ask a repository in few words.
extension ProductRepository {
  /// The names on the first page of a query.
  func names(_ query: ProductQuery = ProductQuery(), size: Int = 20) async throws -> [String] {
    try await page(PageRequest(query: query, size: size)).products.map(\.name)
  }

  /// The names of a query, read page after page by cursor.
  func allNames(
    _ query: ProductQuery, size: Int
  ) async throws -> [String] {
    var names: [String] = []
    var position: PagePosition? = .first
    while let start = position {
      let request = PageRequest(query: query, position: start, size: size)
      let page: ProductPage
      do throws(RepositoryError) {
        page = try await self.page(request)
      } catch {
        throw UnexpectedError(description: "\(error) for \(request)")
      }
      names += page.products.map(\.name)
      position = page.next
    }
    return names
  }
}

extension Author {
  /// A seller that is another one for each text.
  static func named(_ text: String) -> Author {
    .seller(SellerIdentifier(secret: "00000000-0000-0000-0000-" + text))
  }
}
