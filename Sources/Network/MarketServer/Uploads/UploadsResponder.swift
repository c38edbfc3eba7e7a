import MarketAPI
import MarketModel
import MarketPages
import MarketStrings
import SafeTextKit

/// Responder to pages for photos and to the requests of their forms; passes other requests to `next`.
package struct UploadsResponder: HTTPResponder {
  /// Maximum bytes of a request: one photo and what the form adds.
  private static let requestBytes = UploadLimits.photoBytes + (64 << 10)
  /// Maximum time for which a telephone's request waits until the form has its photos, and the pause
  /// between two looks.
  private static let maxWait = Duration.seconds(5)
  private static let pause = Duration.milliseconds(300)
  private static let api = "/api/uploads"

  private let store: any UploadStore
  private let address: WebAddress
  private let admission: AdmissionControl
  private let language: Language
  private let now: @Sendable () -> Int64
  private let next: any HTTPResponder

  /// Creates a responder for pages below the market's public address, within the limits of `market`.
  package init(
    _ store: any UploadStore, at address: WebAddress, sharing market: MarketResponder,
    language: Language, before next: any HTTPResponder
  ) {
    (self.store, self.language, self.next) = (store, language, next)
    self.address = address.withoutEnding
    admission = market.admission
    now = market.options.now
  }

  /// Limits that let a request with a photo through.
  package static func raise(_ limits: inout ServerLimits) {
    limits.allBodies = max(limits.allBodies, 48 << 20)
    limits.bodiesOfAddress = max(limits.bodiesOfAddress, 24 << 20)
  }

  private var root: String { address.path == "/" ? "" : String(address.path) }

  private static func mayBe(_ target: String) -> Bool {
    UploadToken.mayBe(target)
      || target.hasPrefix(api) && ["/", "?", nil].contains(target.dropFirst(api.count).first)
  }

  package func immediateResponse(to request: ServerRequest) -> ServerResponse? {
    Self.mayBe(request.target) ? nil : next.immediateResponse(to: request)
  }

  package func bodyLimit(for request: ServerRequest) -> Int? {
    guard request.method == .post, UploadToken(path: request.message.target.path) != nil else {
      return next.bodyLimit(for: request)
    }
    return Self.requestBytes
  }

  package func refusal(ofLargeBody request: ServerRequest) -> ServerResponse? {
    guard UploadToken(path: request.message.target.path) != nil else {
      return next.refusal(ofLargeBody: request)
    }
    return response(for: request).refusal(.tooLarge)
  }

  private func response(for request: ServerRequest) -> UploadResponse {
    UploadResponse(request: request, isPlain: false, root: root, language: language)
  }

  package func response(to request: ServerRequest) async -> ServerResponse {
    if request.isReading, request.target.hasPrefix(PageAsset.uploadScript.path),
      let asset = UploadResponse.asset(for: request)
    {
      return asset
    }
    guard Self.mayBe(request.target) else { return await next.response(to: request) }
    let target = request.message.target
    if UploadToken.mayBe(request.target) { return await pageResponse(to: request, target) }
    do throws(RepositoryError) {
      return try await formResponse(to: request, target)
    } catch {
      let response = ProductsDialect(variant: .y2023).response(
        failing: error, to: .health, pictures: PictureAddresses(base: address.text))
      return ServerResponse(response, failing: error)
    }
  }

  // MARK: Telephone

  private func pageResponse(
    to request: ServerRequest, _ target: RequestTarget
  ) async -> ServerResponse {
    let answer = response(for: request)
    guard let token = UploadToken(path: target.path)?.text else {
      return answer.page(.notFound, .closed)
    }
    guard !request.isForeign(to: address.origin.authority) else { return answer.refusal(.foreign) }
    do throws(RepositoryError) {
      guard request.method == .post else {
        guard request.isReading else { return .refusal(.methodNotAllowed) }
        _ = try await store.uploadStates(of: [], on: token)
        return answer.page(.ok, .open([]))
      }
      return try await take(request, token, answer)
    } catch {
      switch error {
      case .notFound: return answer.page(.notFound, .closed)
      case .marketFull, .store(.diskFull):
        return answer.page(.insufficientStorage, .refused(.uploadNoRoom))
      case .tooManyRequests: return answer.page(.tooManyRequests, .refused(.uploadTooOften))
      default: return answer.page(.serviceUnavailable, .refused(.uploadTooOften))
      }
    }
  }

  private func take(
    _ request: ServerRequest, _ token: String, _ answer: UploadResponse
  ) async throws(RepositoryError) -> ServerResponse {
    let photos: [UploadedPhoto]
    do throws(UploadRefusal) {
      photos = try UploadForm.photos(
        of: request, left: (UploadLimits.photos, UploadLimits.bytes))
    } catch {
      return answer.refusal(error)
    }
    // A wrong token costs its client nothing of its share.
    _ = try await store.uploadStates(of: [], on: token)
    let growth = try await admission.beginUpload(
      of: photos.reduce(0) { $0 + Int64($1.bytes.count) }, from: request.client.network)
    defer { admission.end(growth) }
    guard let ids = try await store.addUploads(photos, to: token) else {
      return answer.refusal(.tooMany)
    }
    let end = ContinuousClock.now + Self.maxWait
    var states = [Bool?](repeating: nil, count: ids.count)
    while states.contains(nil), ContinuousClock.now < end {
      guard (try? await Task.sleep(for: Self.pause)) != nil else { break }
      // The form may have closed the page once it had the photos.
      guard let present = try? await store.uploadStates(of: ids, on: token) else { break }
      states = present
    }
    return answer.page(
      .ok,
      .open(
        zip(photos, states).map { UploadPage.Photo(name: SafeText($0.name), isTaken: $1) }))
  }

  // MARK: Form

  private func formResponse(
    to request: ServerRequest, _ target: RequestTarget
  ) async throws(RepositoryError) -> ServerResponse {
    let segments = target.segments.dropFirst(2)
    let secret = request.headers[HeaderName.identifier] ?? ""
    guard (1...128).contains(secret.utf8.count),
      secret.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return .refusal(.badRequest, "identifier: this header is missing or cannot be read") }
    let owner = SellerIdentifier(secret: secret)
    if segments.isEmpty, request.method == .post { return try await open(request, by: owner) }
    guard let token = segments.first.flatMap({ UploadToken(word: $0) })?.text else {
      throw .notFound
    }
    let words = Array(segments.dropFirst())
    switch (request.method, words.count) {
    case (.get, 0): return try await list(token, by: owner, target.query)
    case (.delete, 0):
      try await store.closeUpload(token, by: owner)
      return Self.empty
    case (.get, 2), (.delete, 2):
      guard words[0] == "photos", let photo = Int64(words[1]) else { throw .notFound }
      if request.method == .get {
        let bytes = try await store.uploadedBytes(of: photo, on: token, by: owner)
        return Self.response(.ok, "application/octet-stream", bytes)
      }
      try await store.endUpload(
        of: photo, on: token, by: owner, isTaken: target.query["refused"] == nil)
      return Self.empty
    default: throw .notFound
    }
  }

  private func open(
    _ request: ServerRequest, by owner: SellerIdentifier
  ) async throws(RepositoryError) -> ServerResponse {
    try await admission.openUpload(from: request.client.network)
    let token = UploadToken()
    try await store.openUpload(token.text, by: owner)
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("token", token.text)
    writer.member("address", address.appending(token.path).text)
    writer.member("expires", HTTPDate.text(now() + Int64(60 * UploadLimits.minutes)))
    writer.endObject()
    return Self.response(.created, "application/json", writer.bytes)
  }

  private func list(
    _ token: String, by owner: SellerIdentifier, _ query: QueryItems
  ) async throws(RepositoryError) -> ServerResponse {
    let last = query["after"].flatMap { Int64($0) } ?? 0
    let photos = try await store.uploads(on: token, by: owner, after: last)
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("photos")
    writer.beginArray()
    for photo in photos {
      writer.beginObject()
      writer.member("id", photo.id)
      writer.member("name", photo.name)
      writer.member("bytes", photo.bytes)
      writer.endObject()
    }
    writer.endArray()
    writer.key("open")
    writer.bool(true)
    writer.endObject()
    return Self.response(.ok, "application/json", writer.bytes)
  }

  private static let empty = ServerResponse(
    HTTPResponse(.noContent, headers: [HeaderName.cacheControl: "no-store"]))

  private static func response(
    _ status: HTTPStatus, _ type: String, _ body: [UInt8]
  ) -> ServerResponse {
    ServerResponse(
      HTTPResponse(
        status,
        headers: [
          HeaderName.contentType: type, HeaderName.cacheControl: "no-store",
          "X-Content-Type-Options": "nosniff", HeaderName.extensions: "1",
        ], body: body))
  }
}
