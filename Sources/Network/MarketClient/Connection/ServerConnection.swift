import MarketAPI
import MarketModel
import Synchronization

/// Connection to one market server: follows redirects, retries safe requests, and restricts the
/// addresses that the server names.
package final class ServerConnection: Sendable {
  /// Clock and random source of a connection; tests replace them.
  package struct RetryEnvironment: Sendable {
    package var pause: @Sendable (Duration) async throws -> Void
    /// Random number from 0 to 1.
    package var random: @Sendable () -> Double
    package var now: @Sendable () -> ContinuousClock.Instant

    package init(
      pause: @escaping @Sendable (Duration) async throws -> Void = {
        try await Task.sleep(for: $0)
      },
      random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
      now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
      self.pause = pause
      self.random = random
      self.now = now
    }
  }

  /// SHA-256 by which a market names the content of a picture.
  package typealias ContentHash = @Sendable ([UInt8]) -> [UInt8]

  /// Redirects that a request may follow.
  private enum Redirects {
    case anywhere
    /// To the same origin or its encrypted twin; the response with any other redirect is returned.
    case home
    /// None; a redirect is an error.
    case none
  }

  package let base: WebAddress
  private let transport: any HTTPTransport
  private let contentHash: ContentHash?
  private let retry: RetryPolicy
  private let retryEnvironment: RetryEnvironment
  /// State learned from the server's responses.
  private let learned: Mutex<LearnedState>

  private struct LearnedState {
    /// Origin of the server: that of `base`, or its encrypted twin once that redirected there.
    var origin: WebAddress.Origin
    /// Network zone that the server answered from; nil before the first response.
    var zone: NetworkZone?
    /// Read-your-writes position from the last write.
    var position = AcknowledgedPosition()
    /// Origin of the picture storage that the server announced; nil if none.
    var storage: WebAddress.Origin?
  }

  /// Creates a connection to the server at `base`, whose path precedes every target.
  ///
  /// Without `contentHash` no picture is fetched from a storage, since its content could not be
  /// verified.
  package init(
    to base: WebAddress, over transport: any HTTPTransport, retry: RetryPolicy = RetryPolicy(),
    retryEnvironment: RetryEnvironment = RetryEnvironment(), contentHash: ContentHash? = nil
  ) {
    self.base = base
    self.transport = transport
    self.contentHash = contentHash
    self.retry = retry
    self.retryEnvironment = retryEnvironment
    learned = Mutex(LearnedState(origin: base.origin))
  }

  /// Sends a request and returns the last response, of any status; `retriesStatuses` means that 502, 503
  /// and 504 are retried like lost connections.
  /// - Throws: `.cancelled`, `.tooManyRedirects`, `.redirectUnencrypted`, `.redirectRefused`, else what
  ///   the transport throws after the last retry.
  package func answer(
    to request: HTTPRequest, limits: TransferLimits = .json, onUpload: UploadObserver? = nil,
    retriesStatuses: Bool = true
  ) async throws(TransportError) -> HTTPResponse {
    try await answer(
      to: HTTPHop(
        method: request.method, address: home.appending(request.target.text),
        headers: request.headers, body: request.body, limits: limits, onUpload: onUpload),
      retriesStatuses: retriesStatuses
    ).response
  }

  /// Waits before a request is repeated.
  /// - Throws: `.cancelled`.
  func pause(_ duration: Duration) async throws(TransportError) {
    do { try await retryEnvironment.pause(duration) } catch { throw .cancelled }
  }

  /// Opens an event stream and passes its bytes to `onEvents`; the request is never retried.
  ///
  /// Returns when the stream has ended, or at once if the response is no event stream.
  /// - Throws: what `answer(to:limits:onUpload:)` throws.
  package func stream(
    _ request: HTTPRequest, onEvents: @escaping EventObserver
  ) async throws(TransportError) -> HTTPResponse {
    try await followingRedirects(
      HTTPHop(
        method: request.method, address: home.appending(request.target.text),
        headers: request.headers, limits: .stream, onEvents: onEvents), .anywhere
    ).response
  }

  /// Fetches a picture from an address that the server named.
  ///
  /// In a private network only the server itself and the storage that it announced are fetched from.
  ///
  /// An address with a content hash is served by the market or its announced storage, and bytes from
  /// the storage are verified. `tag` is the entity tag of the cached picture. Returns the last
  /// response, of any status.
  /// - Throws: `.malformed` if the hash differs, `.redirectRefused` for a redirect to another storage,
  ///   `.fenced` for an address that is not allowed, else what `answer(to:limits:onUpload:)` throws.
  package func picture(
    at address: WebAddress, unless tag: String? = nil, limits: TransferLimits = .picture
  ) async throws(TransportError) -> HTTPResponse {
    var headers: HTTPHeaders = [HeaderName.accept: "image/*"]
    headers[HeaderName.ifNoneMatch] = tag
    let hash = PictureAddress.contentHash(in: address)
    let answer = try await answer(
      to: HTTPHop(
        method: .get, address: address, headers: headers, limits: limits,
        addressPolicy: addressPolicy(around: address)), hash == nil ? .anywhere : .home)
    guard let hash, let location = RedirectPolicy.target(of: answer) else {
      return answer.response
    }
    return try await storedPicture(at: location, named: hash, limits)
  }

  /// Whether `bytes` match the content hash in `address`; such a picture never changes.
  func isNamed(_ bytes: [UInt8], by address: WebAddress) -> Bool {
    guard let contentHash, let hash = PictureAddress.contentHash(in: address) else { return false }
    return contentHash(bytes) == hash
  }

  /// Fetches a picture from the announced storage; the request carries no headers about the client.
  /// - Throws: what `picture(at:unless:limits:)` throws.
  private func storedPicture(
    at location: String, named hash: [UInt8], _ limits: TransferLimits
  ) async throws(TransportError) -> HTTPResponse {
    guard let contentHash, let address = WebAddress(location),
      address.origin == learned.withLock({ $0.storage })
    else { throw .redirectRefused }
    let answer = try await answer(
      to: HTTPHop(
        method: .get, address: address, headers: [HeaderName.accept: "image/*"], limits: limits,
        addressPolicy: addressPolicy(around: address)), .none)
    let response = answer.response
    guard !response.status.isSuccess || contentHash(response.body) == hash else { throw .malformed }
    // Headers of the storage are not cached.
    return HTTPResponse(response.status, body: response.body)
  }
}

extension ServerConnection {
  /// The server's current address.
  private var home: WebAddress {
    WebAddress(origin: learned.withLock { $0.origin }, target: base.target)
  }

  /// Address policy for an address that the server named, also by a redirect.
  ///
  /// A market that was opened at a private address may have its storage in the same network, and
  /// nothing else.
  private func addressPolicy(around address: WebAddress) -> AddressPolicy {
    if isHome(address) { return .none }
    let (storage, zone) = learned.withLock { ($0.storage, $0.zone) }
    let isStorage = address.origin == storage && base.origin.isPrivate
    return .around(market: isStorage ? zone : nil)
  }

  /// Whether an address is the server's own: as opened, after its redirect to https, or its encrypted
  /// twin at the default ports.
  private func isHome(_ address: WebAddress) -> Bool {
    address.origin == base.origin || address.origin == learned.withLock { $0.origin }
      || (address.origin.isEncryptedTwin(of: base.origin) && address.origin.hasUsualPort
        && base.origin.hasUsualPort)
  }

  private func answer(
    to hop: HTTPHop, _ redirects: Redirects = .anywhere, retriesStatuses: Bool = true
  ) async throws(TransportError) -> HTTPHopResponse {
    var repetition = 0
    while true {
      let outcome = await outcome(of: hop, redirects)
      repetition += 1
      guard hop.method == .get, Self.isWorthRetrying(outcome, statuses: retriesStatuses),
        let pause = retry.pause(
          before: repetition, asked: Self.askedPause(outcome), random: retryEnvironment.random())
      else { return try outcome.get() }
      try await self.pause(pause)
    }
  }

  private func outcome(
    of hop: HTTPHop, _ redirects: Redirects
  ) async -> Result<HTTPHopResponse, TransportError> {
    do throws(TransportError) {
      return .success(try await followingRedirects(hop, redirects))
    } catch {
      return .failure(error)
    }
  }

  private func followingRedirects(
    _ first: HTTPHop, _ redirects: Redirects
  ) async throws(TransportError) -> HTTPHopResponse {
    var hop = first
    var count = 0
    while true {
      let now = retryEnvironment.now()
      // A position is sent only to the server that returned it.
      hop.headers[HeaderName.marketPosition] =
        hop.method == .get
        ? learned.withLock { $0.position.word(at: hop.address.origin, now: now) } : nil
      let answer = try await transport.answer(to: hop)
      if count > 0, hop.address.origin.isEncryptedTwin(of: base.origin) {
        learned.withLock { $0.origin = hop.address.origin }
      }
      if isHome(hop.address) { recordServer(answer) }
      recordPosition(in: answer.response, to: hop)
      guard
        let next = try RedirectPolicy.next(
          after: answer, to: hop, count: count, addressPolicy: { addressPolicy(around: $0) })
      else { return answer }
      switch redirects {
      case .anywhere: break
      case .home where isSameMarketOrigin(next.address, from: hop.address): break
      case .home: return answer
      case .none: throw .redirectRefused
      }
      hop = next
      count += 1
    }
  }

  /// Stores the position in a response to a write.
  private func recordPosition(in response: HTTPResponse, to hop: HTTPHop) {
    guard hop.method != .get, isHome(hop.address), let position = response.headers.marketPosition
    else { return }
    let now = retryEnvironment.now()
    learned.withLock { $0.position.record(position, of: hop.address.origin, now: now) }
  }

  /// Stores the network zone and the storage in a response of the server itself.
  private func recordServer(_ answer: HTTPHopResponse) {
    let storage = answer.response.headers.pictureStorage
    learned.withLock { learned in
      if let zone = answer.zone { learned.zone = zone }
      if let storage { learned.storage = storage }
    }
  }

  /// Whether a redirect stays with the market; its storage may be another port of the same host.
  private func isSameMarketOrigin(_ target: WebAddress, from address: WebAddress) -> Bool {
    if target.origin == address.origin { return true }
    return target.origin.isEncryptedTwin(of: address.origin)
      && target.origin != learned.withLock { $0.storage }
  }

  private static func isWorthRetrying(
    _ outcome: Result<HTTPHopResponse, TransportError>, statuses: Bool
  ) -> Bool {
    switch outcome {
    case .success(let answer):
      statuses && [502, 503, 504].contains(answer.response.status.rawValue)
    case .failure(let error): error.isWorthRetrying
    }
  }

  private static func askedPause(_ outcome: Result<HTTPHopResponse, TransportError>) -> Duration? {
    guard case .success(let answer) = outcome, let seconds = answer.response.retryAfterSeconds
    else { return nil }
    return .seconds(min(seconds, 86_400))
  }
}

/// Policy of retries: how often and when a safe request is sent again.
package struct RetryPolicy: Hashable, Sendable {
  /// Maximum number of retries.
  package var repetitions: Int
  /// Pause before the first retry; doubled for each further one.
  package var firstPause: Duration
  /// Maximum pause; if the server asks for a longer one, the request is not retried.
  package var maxPause: Duration

  package init(
    repetitions: Int = 2, firstPause: Duration = .milliseconds(250),
    maxPause: Duration = .seconds(10)
  ) {
    self.repetitions = repetitions
    self.firstPause = firstPause
    self.maxPause = maxPause
  }

  /// Pause before a retry; nil if there is none.
  ///
  /// - Parameters:
  ///   - repetition: number of the retry, from 1.
  ///   - asked: `Retry-After` of the response; nil if absent.
  ///   - random: 0 to 1; spreads the clients of a server that comes back.
  /// - Returns: the doubled pause, less up to half of it, but at least `asked`.
  package func pause(
    before repetition: Int, asked: Duration?, random: Double
  ) -> Duration? {
    guard repetition <= repetitions else { return nil }
    if let asked, asked > maxPause { return nil }
    let full = firstPause * (1 << (repetition - 1))
    return max(min(full, maxPause) * (1 - random / 2), asked ?? .zero)
  }
}

/// Policy of redirects.
///
/// At most five; http and https only; never from https to http; credentials stay at their origin;
/// requests other than GET stay at their origin, since their body holds a password.
enum RedirectPolicy {
  /// Maximum number of redirects; beyond it `.tooManyRedirects`.
  static let limit = 5
  private static let credentials = [HeaderName.identifier, "authorization"]

  /// `Location` of a redirect; nil for other responses.
  static func target(of answer: HTTPHopResponse) -> String? {
    [301, 302, 303, 307, 308].contains(answer.response.status.rawValue) ? answer.redirect : nil
  }

  /// Request that follows a redirect; nil for other responses.
  ///
  /// `count` is the number of redirects followed; `addressPolicy` applies to another origin.
  /// - Throws: `.tooManyRedirects` beyond `limit`, `.redirectUnencrypted` from https to http,
  ///   `.redirectRefused` for an unreadable address or a write that would leave its origin.
  static func next(
    after answer: HTTPHopResponse, to hop: HTTPHop, count: Int,
    addressPolicy: (WebAddress) -> AddressPolicy
  ) throws(TransportError) -> HTTPHop? {
    let status = answer.response.status.rawValue
    guard let location = target(of: answer) else { return nil }
    guard count < limit else { throw .tooManyRedirects }
    guard let address = WebAddress(location) else { throw .redirectRefused }
    if hop.address.origin.scheme == .https, address.origin.scheme == .http {
      throw .redirectUnencrypted
    }
    let isSameMarketOrigin = address.origin == hop.address.origin
    guard hop.method == .get || (isSameMarketOrigin && status >= 307) else {
      throw .redirectRefused
    }
    var next = hop
    next.address = address
    if !isSameMarketOrigin {
      for name in credentials { next.headers[name] = nil }
      next.addressPolicy = addressPolicy(address)
    }
    return next
  }
}
