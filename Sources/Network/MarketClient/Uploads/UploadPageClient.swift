import MarketAPI
import MarketModel

/// Client of a server's page for photos, for one form.
package struct UploadPageClient: Sendable {
  private static let path = "/api/uploads"
  /// Bytes of a photo, within the limits of a slow line.
  private static let photoLimits = TransferLimits(
    bodyBytes: UploadLimits.photoBytes, connect: .seconds(10), idle: .seconds(15),
    total: .seconds(300))

  private let connection: ServerConnection
  private let owner: SellerIdentifier
  private let token: UploadToken
  /// Address of the page, which a telephone opens.
  package let address: WebAddress

  /// Opens a page.
  /// - Throws: `.unreachable` and `.badAnswer`, also for an address without encryption; what the server
  ///   refuses with, such as `.tooManyRequests`.
  package init(
    over connection: ServerConnection, by owner: SellerIdentifier
  ) async throws(RepositoryError) {
    let response = try await Self.send(
      HTTPRequest(
        .post, RequestTarget(path: Self.path), headers: [HeaderName.identifier: owner.secret]),
      over: connection)
    guard let root = (try? JSONDocument(parsing: response.body))?.root,
      let token = root["token"]?.string.flatMap({ UploadToken(word: $0) }),
      let address = root["address"]?.string.flatMap({ WebAddress($0) }),
      address.origin.scheme == .https, address.path.hasSuffix(token.path)
    else { throw .badAnswer(.unreadable) }
    (self.connection, self.owner, self.token, self.address) = (connection, owner, token, address)
  }

  /// Photos that came after a number and wait for the form.
  /// - Throws: `.notFound` once the page is closed; else what the server refuses with.
  package func waiting(after last: Int64) async throws(RepositoryError) -> [WaitingUpload] {
    var query = QueryItems()
    query.add(String(last), for: "after")
    let response = try await send(.get, "", query)
    guard let photos = (try? JSONDocument(parsing: response.body))?.root["photos"] else {
      throw .badAnswer(.unreadable)
    }
    return photos.elements.prefix(UploadLimits.photos).compactMap { photo in
      guard let id = photo["id"]?.spelling.flatMap({ Int64($0) }), id > last else { return nil }
      return WaitingUpload(
        id: id, name: TextLimit.uploadName.cut(photo["name"]?.string ?? ""),
        bytes: photo["bytes"]?.spelling.flatMap { Int64($0) } ?? 0)
    }
  }

  /// Bytes of a photo as the telephone sent them.
  /// - Throws: `.notFound` where it is gone; else what the server refuses with.
  package func bytes(of photo: Int64) async throws(RepositoryError) -> [UInt8] {
    try await send(.get, "/photos/\(photo)", limits: Self.photoLimits).body
  }

  /// Tells the server that the form has a photo, or refuses it, whose bytes it deletes then.
  /// - Throws: what the server refuses with.
  package func end(_ photo: Int64, isTaken: Bool) async throws(RepositoryError) {
    var query = QueryItems()
    if !isTaken { query.add("1", for: "refused") }
    _ = try await send(.delete, "/photos/\(photo)", query)
  }

  /// Closes the page.
  /// - Throws: what the server refuses with.
  package func close() async throws(RepositoryError) { _ = try await send(.delete, "") }

  private func send(
    _ method: HTTPMethod, _ rest: String, _ query: QueryItems = QueryItems(),
    limits: TransferLimits = .json
  ) async throws(RepositoryError) -> HTTPResponse {
    try await Self.send(
      HTTPRequest(
        method, RequestTarget(path: "\(Self.path)/\(token.text)\(rest)", query: query),
        headers: [HeaderName.identifier: owner.secret]), over: connection, limits: limits)
  }

  private static func send(
    _ request: HTTPRequest, over connection: ServerConnection, limits: TransferLimits = .json
  ) async throws(RepositoryError) -> HTTPResponse {
    let response: HTTPResponse
    do throws(TransportError) {
      response = try await connection.answer(to: request, limits: limits)
    } catch {
      throw RepositoryError(error)
    }
    switch response.status.rawValue {
    case 200..<300: return response
    case 404: throw .notFound
    case 429: throw .tooManyRequests(retryAfterSeconds: 60)
    case 507: throw .marketFull
    default: throw .badAnswer(.status(response.status.rawValue))
    }
  }
}
