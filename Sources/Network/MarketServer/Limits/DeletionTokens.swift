import MarketAPI
import MarketModel
import TextCoding

/// Deletion tokens, which permit the deletion of one product after its password was verified.
///
/// A token holds the product, the expiry time and a tag of the author's identifier, followed by an
/// authentication code that only the market's servers can make. It works once, because a product is
/// deleted once. The time is the market's, since the clocks of servers differ.
struct DeletionTokens: Sendable {
  static let validSeconds: Int64 = 600
  private static let authorTagLength = 8
  static let codeLength = 16
  static let contentLength = 16 + authorTagLength

  let market: any ServedMarket

  /// Creates a token of hexadecimal digits.
  /// - Throws: what the market's clock and `authenticationCode(for:)` throw.
  func token(
    for id: Product.ID, author: Author
  ) async throws(RepositoryError) -> String {
    let expiry = try await market.clockSeconds() + Self.validSeconds
    let content = Self.bytes(id.rawValue) + Self.bytes(expiry) + (try await authorTag(of: author))
    return Hexadecimal.text(of: content + (try await code(of: content)))
  }

  /// Whether a text has the form of a token; it is a password otherwise.
  static func canBeToken(_ word: String) -> Bool {
    Hexadecimal.bytes(of: word)?.count == contentLength + codeLength
  }

  /// Returns the product that a token permits to delete; `named` is the product in the request, nil if
  /// absent.
  /// - Throws: `.wrongPassword` for an invalid or expired token or one of another product, `.notOwner`
  ///   for a token of another author, else what the market throws.
  func product(
    of token: String, naming named: Product.ID?, author: Author
  ) async throws(RepositoryError) -> Product.ID {
    guard let bytes = Hexadecimal.bytes(of: token),
      bytes.count == Self.contentLength + Self.codeLength
    else { throw .wrongPassword }
    let content = Array(bytes.prefix(Self.contentLength))
    let code = try await code(of: content)
    guard Self.areEqual(code, bytes.suffix(Self.codeLength)) else { throw .wrongPassword }
    let id = Product.ID(rawValue: Self.number(content[0..<8]))
    if let named, named != id { throw .wrongPassword }
    guard Self.number(content[8..<16]) >= (try await market.clockSeconds()) else {
      throw .wrongPassword
    }
    let tag = try await authorTag(of: author)
    guard Self.areEqual(tag, content.suffix(Self.authorTagLength)) else { throw .notOwner }
    return id
  }

  private func code(of content: [UInt8]) async throws(RepositoryError) -> [UInt8] {
    let code = try await market.authenticationCode(for: Array("delete:".utf8) + content)
    return Array(code.prefix(Self.codeLength))
  }

  private func authorTag(of author: Author) async throws(RepositoryError) -> [UInt8] {
    var message = Array("seller:".utf8)
    if case .seller(let identifier) = author { message += Array(identifier.secret.utf8) }
    return Array(try await market.authenticationCode(for: message).prefix(Self.authorTagLength))
  }

  /// Compares two codes in constant time.
  private static func areEqual(_ left: [UInt8], _ right: ArraySlice<UInt8>) -> Bool {
    left.count == right.count && zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private static func bytes(_ number: Int64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
    bytes.reduce(0) { $0 << 8 | Int64($1) }
  }
}
