import MarketAPI
import MarketModel

/// Client of a server's page for photos, for one form.
package struct UploadPageClient: Sendable {
  private static let path = "/api/uploads"
  /// Limits of a photo on a slow line.
  private static let photoLimits = TransferLimits(
    bodyBytes: UploadLimits.photoBytes, connect: .seconds(10), idle: .seconds(15),
    total: .seconds(300))
  /// Maximum number of requests in a row that fail while the page stays open.
  static let maxFailures = 20
  private static let pause = Duration.seconds(1)

  private let connection: ServerConnection
  private let owner: SellerIdentifier
  private let token: UploadToken
  /// Address of the page, which a telephone opens.
  private let address: WebAddress

  /// Opens a page and reports its events, until the task is cancelled or the server has closed it.
  ///
  /// `commands` end with the form: what it says of photos reaches the server before the page is closed.
  package static func receive(
    over connection: ServerConnection, by owner: SellerIdentifier,
    commands: AsyncStream<ReceiverCommand>, tell: @escaping @Sendable (ReceiverEvent) -> Void
  ) async {
    let page: UploadPageClient
    do throws(RepositoryError) {
      page = try await UploadPageClient(over: connection, by: owner)
    } catch {
      return tell(.refused(error))
    }
    tell(.opened(address: page.codeAddress, port: nil))
    // A cancelled task sends no request.
    let answering = Task {
      for await case .took(let photo, let isTaken) in commands {
        try? await page.end(Int64(photo), isTaken: isTaken)
      }
      try? await page.close()
    }
    if let error = await page.passOn(tell) { tell(.refused(error)) }
    if !Task.isCancelled { answering.cancel() }
    await answering.value
  }

  /// Opens a page.
  /// - Throws: `.unsupported` for a server without such pages or without encryption; `.unreachable` and
  ///   `.badAnswer`; what the server refuses with, such as `.tooManyRequests`.
  private init(
    over connection: ServerConnection, by owner: SellerIdentifier
  ) async throws(RepositoryError) {
    let response: HTTPResponse
    do throws(RepositoryError) {
      response = try await Self.send(
        HTTPRequest(
          .post, RequestTarget(path: Self.path), headers: [HeaderName.identifier: owner.secret]),
        over: connection)
    } catch {
      throw error == .notFound ? .unsupported : error
    }
    guard let root = (try? JSONDocument(parsing: response.body))?.root,
      let token = root["token"]?.string.flatMap({ UploadToken(word: $0) }),
      let address = root["address"]?.string.flatMap({ WebAddress($0) }),
      address.path.hasSuffix(token.path)
    else { throw .badAnswer(.unreadable) }
    guard address.origin.scheme == .https else { throw .unsupported }
    (self.connection, self.owner, self.token, self.address) = (connection, owner, token, address)
  }

  /// Address with scheme and host in capitals, which a code writes in less room.
  private var codeAddress: String { address.origin.text.uppercased() + address.target }

  /// Passes photos on until the page ends; returns the error that ended it, nil for the end of its time.
  private func passOn(_ tell: (ReceiverEvent) -> Void) async -> RepositoryError? {
    var (last, count, failures) = (Int64(0), 0, 0)
    while !Task.isCancelled {
      do throws(RepositoryError) {
        for photo in try await waiting(after: last) {
          if count < UploadLimits.photos, let bytes = try await bytes(of: photo.id) {
            tell(.photo(Int(photo.id), UploadedPhoto(name: photo.name, bytes: bytes)))
            count += 1
          } else {
            try await end(photo.id, isTaken: false)
          }
          last = photo.id
        }
        failures = 0
      } catch {
        if error == .notFound { return nil }
        failures += 1
        if !error.isTransient || failures == Self.maxFailures { return error }
      }
      try? await connection.pause(Self.pause)
    }
    return nil
  }

  /// Photos that came after a number and wait for the form, in the order of their numbers.
  /// - Throws: `.notFound` once the page is closed; else what the server refuses with.
  private func waiting(after last: Int64) async throws(RepositoryError) -> [WaitingUpload] {
    var query = QueryItems()
    query.add(String(last), for: "after")
    let response = try await send(.get, "", query)
    guard let photos = (try? JSONDocument(parsing: response.body))?.root["photos"] else {
      throw .badAnswer(.unreadable)
    }
    let waiting = photos.elements.compactMap { photo -> WaitingUpload? in
      guard let id = photo["id"]?.spelling.flatMap({ Int64($0) }), id > last else { return nil }
      return WaitingUpload(
        id: id, name: TextLimit.uploadName.cut(photo["name"]?.string ?? ""),
        bytes: photo["bytes"]?.spelling.flatMap { Int64($0) } ?? 0)
    }
    return waiting.sorted { $0.id < $1.id }
  }

  /// Bytes of a photo as the telephone sent them; nil where they are gone or are no photo's.
  /// - Throws: what the server refuses with.
  private func bytes(of photo: Int64) async throws(RepositoryError) -> [UInt8]? {
    do throws(RepositoryError) {
      return try await send(.get, "/photos/\(photo)", limits: Self.photoLimits).body
    } catch {
      switch error {
      case .notFound, .badAnswer(.tooLarge): return nil
      default: throw error
      }
    }
  }

  /// Tells the server that the form has a photo, or refuses it; the server then deletes its bytes.
  /// - Throws: what the server refuses with.
  private func end(_ photo: Int64, isTaken: Bool) async throws(RepositoryError) {
    var query = QueryItems()
    if !isTaken { query.add("1", for: "refused") }
    do throws(RepositoryError) {
      _ = try await send(.delete, "/photos/\(photo)", query)
    } catch {
      // The photo is gone, and needs no answer.
      guard error == .notFound else { throw error }
    }
  }

  /// Closes the page.
  /// - Throws: what the server refuses with.
  private func close() async throws(RepositoryError) { _ = try await send(.delete, "") }

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
    if response.status == .notFound { throw .notFound }
    try ProductsDialect(variant: .y2023).check(response, .health)
    return response
  }
}
