import MarketAPI
import MarketModel
import Synchronization

/// The way to one market server: follows redirects, repeats what is safe to repeat, and fences the
/// addresses that the server names.
package final class ServerConnection: Sendable {
  /// Clock and chance of a connection, which tests replace.
  package struct RetryEnvironment: Sendable {
    package var pause: @Sendable (Duration) async throws -> Void
    /// A number from 0 to 1.
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

  /// Maker of the hash by which a market names the content of a picture.
  package typealias ContentHash = @Sendable ([UInt8]) -> [UInt8]

  /// Redirects that a request follows.
  private enum Redirects {
    case anywhere
    /// Those that stay at the origin, or go to its encrypted twin; one that leaves is the answer.
    case home
    case none
  }

  package let base: WebAddress
  private let transport: any HTTPTransport
  private let contentHash: ContentHash?
  private let retry: RetryPolicy
  private let retryEnvironment: RetryEnvironment
  /// Findings about the server from its answers.
  private let findings: Mutex<Findings>

  private struct Findings {
    /// Origin of the server: that of `base`, or its encrypted twin once that redirected there.
    var origin: WebAddress.Origin
    /// The part of the network that it answered from.
    var zone: NetworkZone?
    /// How far the market had come when it took a change of ours.
    var position = AcknowledgedPosition()
    /// Origin of the storage that it announced.
    var storage: WebAddress.Origin?
  }

  /// The way to the server at an address, whose path stands before every target.
  ///
  /// Without a hash no picture is fetched from a storage, for nobody could tell whether it is the one.
  package init(
    to base: WebAddress, over transport: any HTTPTransport, retry: RetryPolicy = RetryPolicy(),
    retryEnvironment: RetryEnvironment = RetryEnvironment(), contentHash: ContentHash? = nil
  ) {
    self.base = base
    self.transport = transport
    self.contentHash = contentHash
    self.retry = retry
    self.retryEnvironment = retryEnvironment
    findings = Mutex(Findings(origin: base.origin))
  }

  /// Asks the server; the last answer comes back, whatever its status.
  package func answer(
    to request: HTTPRequest, limits: TransferLimits = .json, onUpload: UploadObserver? = nil
  ) async throws(TransportError) -> HTTPResponse {
    try await answer(
      to: HTTPHop(
        method: request.method, address: home.appending(request.target.text),
        headers: request.headers, body: request.body, limits: limits, onUpload: onUpload)
    ).response
  }

  /// Asks for a stream of events, which is handed over as it comes; nothing is repeated.
  ///
  /// The answer comes when the stream has ended, or at once where it is none.
  package func stream(
    _ request: HTTPRequest, onEvents: @escaping EventObserver
  ) async throws(TransportError) -> HTTPResponse {
    try await followingRedirects(
      HTTPHop(
        method: request.method, address: home.appending(request.target.text),
        headers: request.headers, limits: .stream, onEvents: onEvents), .anywhere
    ).response
  }

  /// Fetches a picture from wherever the server says it is; at a place that is not open to everyone
  /// that is the server itself, or the storage that it announced.
  ///
  /// One whose address names its content is given by its market, or by the storage that the market
  /// announced, and then it has that content. `tag` is the entity tag of the picture that is known already. The last answer comes back, whatever
  /// its status.
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

  /// Whether a picture at an address is the one that the address names: then it is for ever.
  func isNamed(_ bytes: [UInt8], by address: WebAddress) -> Bool {
    guard let contentHash, let hash = PictureAddress.contentHash(in: address) else { return false }
    return contentHash(bytes) == hash
  }

  /// Fetches a picture from the announced storage, which is told nothing but the address.
  private func storedPicture(
    at location: String, named hash: [UInt8], _ limits: TransferLimits
  ) async throws(TransportError) -> HTTPResponse {
    guard let contentHash, let address = WebAddress(location),
      address.origin == findings.withLock({ $0.storage })
    else { throw .redirectRefused }
    let answer = try await answer(
      to: HTTPHop(
        method: .get, address: address, headers: [HeaderName.accept: "image/*"], limits: limits,
        addressPolicy: addressPolicy(around: address)), .none)
    let response = answer.response
    guard !response.status.isSuccess || contentHash(response.body) == hash else { throw .malformed }
    // What else a storage says is nobody's to remember.
    return HTTPResponse(response.status, body: response.body)
  }
}

extension ServerConnection {
  /// The server's address as it is by now.
  private var home: WebAddress {
    WebAddress(origin: findings.withLock { $0.origin }, target: base.target)
  }

  /// The fence for an address that the server named, also by a redirect.
  ///
  /// A market may have its storage in its own network where a person opened it there, and names nothing
  /// else in it.
  private func addressPolicy(around address: WebAddress) -> AddressPolicy {
    if isHome(address) { return .none }
    let (storage, zone) = findings.withLock { ($0.storage, $0.zone) }
    let isStorage = address.origin == storage && base.origin.isPrivate
    return .around(market: isStorage ? zone : nil)
  }

  /// Whether an address is the server's own: as it was opened, as it moved to encryption, or as it may
  /// at the usual ports.
  private func isHome(_ address: WebAddress) -> Bool {
    address.origin == base.origin || address.origin == findings.withLock { $0.origin }
      || (address.origin.isEncryptedTwin(of: base.origin) && address.origin.hasUsualPort
        && base.origin.hasUsualPort)
  }

  private func answer(
    to hop: HTTPHop, _ redirects: Redirects = .anywhere
  ) async throws(TransportError) -> HTTPHopResponse {
    var repetition = 0
    while true {
      let outcome = await outcome(of: hop, redirects)
      repetition += 1
      guard hop.method == .get, Self.isWorthRetrying(outcome),
        let pause = retry.pause(
          before: repetition, asked: Self.askedPause(outcome), random: retryEnvironment.random())
      else { return try outcome.get() }
      do { try await retryEnvironment.pause(pause) } catch { throw .cancelled }
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
      // What one server said is said to no other one.
      hop.headers[HeaderName.marketPosition] =
        hop.method == .get
        ? findings.withLock { $0.position.word(at: hop.address.origin, now: now) } : nil
      let answer = try await transport.answer(to: hop)
      if count > 0, hop.address.origin.isEncryptedTwin(of: base.origin) {
        findings.withLock { $0.origin = hop.address.origin }
      }
      if isHome(hop.address) { note(answer) }
      learn(from: answer.response, to: hop)
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

  /// Keeps how far the market has come, where a change was answered.
  private func learn(from response: HTTPResponse, to hop: HTTPHop) {
    guard hop.method != .get, isHome(hop.address), let position = response.headers.marketPosition
    else { return }
    let now = retryEnvironment.now()
    findings.withLock { $0.position.keep(position, of: hop.address.origin, now: now) }
  }

  /// Keeps what an answer of the server itself tells of it.
  private func note(_ answer: HTTPHopResponse) {
    let storage = answer.response.headers.pictureStorage
    findings.withLock { findings in
      if let zone = answer.zone { findings.zone = zone }
      if let storage { findings.storage = storage }
    }
  }

  /// Whether a redirect stays with the market: its storage may be another port of the same host.
  private func isSameMarketOrigin(_ target: WebAddress, from address: WebAddress) -> Bool {
    if target.origin == address.origin { return true }
    return target.origin.isEncryptedTwin(of: address.origin)
      && target.origin != findings.withLock { $0.storage }
  }

  private static func isWorthRetrying(_ outcome: Result<HTTPHopResponse, TransportError>) -> Bool {
    switch outcome {
    case .success(let answer): [502, 503, 504].contains(answer.response.status.rawValue)
    case .failure(let error): error.isWorthRetrying
    }
  }

  private static func askedPause(_ outcome: Result<HTTPHopResponse, TransportError>) -> Duration? {
    guard case .success(let answer) = outcome, let seconds = answer.response.retryAfterSeconds
    else { return nil }
    return .seconds(min(seconds, 86_400))
  }
}

/// Policy of retries: how often and how late a request that is safe to repeat is sent again.
package struct RetryPolicy: Hashable, Sendable {
  /// Number of repetitions after the first time.
  package var repetitions: Int
  /// The pause before the first repetition; each further one is twice as long.
  package var firstPause: Duration
  /// The longest pause that a server may ask for; where it asks for more, its answer stands.
  package var maxPause: Duration

  package init(
    repetitions: Int = 2, firstPause: Duration = .milliseconds(250),
    maxPause: Duration = .seconds(10)
  ) {
    self.repetitions = repetitions
    self.firstPause = firstPause
    self.maxPause = maxPause
  }

  /// The pause before another try; nil where there should be none.
  ///
  /// - Parameters:
  ///   - repetition: 1 before the first repetition.
  ///   - asked: what the server said in `Retry-After`.
  ///   - random: 0 to 1; spreads the clients of a server that comes back.
  /// - Returns: the doubled pause, less up to half of it, but no less than the server asked for.
  package func pause(
    before repetition: Int, asked: Duration?, random: Double
  ) -> Duration? {
    guard repetition <= repetitions else { return nil }
    if let asked, asked > maxPause { return nil }
    let full = firstPause * (1 << (repetition - 1))
    return max(min(full, maxPause) * (1 - random / 2), asked ?? .zero)
  }
}

/// Policy of redirects: where they may lead.
///
/// At most five; http and https only; never from https to http; credentials stay at their origin;
/// what changes something stays at its origin altogether, since its body holds a password.
private enum RedirectPolicy {
  static let limit = 5
  private static let credentials = [HeaderName.identifier, "authorization"]

  /// Where an answer redirects to; nil where it does not.
  static func target(of answer: HTTPHopResponse) -> String? {
    [301, 302, 303, 307, 308].contains(answer.response.status.rawValue) ? answer.redirect : nil
  }

  /// The request that follows a redirect; nil where the answer is none.
  ///
  /// `count` redirects were followed before; the fence holds for another origin. Throws
  /// `.tooManyRedirects`, `.redirectUnencrypted` or `.redirectRefused`.
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
