import MarketAPI
import MarketModel

/// The port that carries one request to one address and brings back its answer; redirects, retries
/// and what the answer means are the caller's.
package protocol HTTPTransport: Sendable {
  /// The answer, whatever its status; throws `.cancelled` as soon as the calling task is cancelled.
  func answer(to hop: HTTPHop) async throws(TransportError) -> HTTPHopResponse
}

/// One request to one address.
package struct HTTPHop: Sendable {
  package var method: HTTPMethod
  package var address: WebAddress
  package var headers: HTTPHeaders
  package var body: [UInt8]
  package var limits: TransferLimits
  package var addressPolicy: AddressPolicy
  /// Called as the body goes out, from an internal queue.
  package var onUpload: UploadObserver?
  /// Takes the body of a stream of events piece by piece; any other body is collected.
  package var onEvents: EventObserver?
  /// How the request is signed; nil for not at all.
  package var signing: RequestSigning?

  package init(
    method: HTTPMethod, address: WebAddress, headers: HTTPHeaders = [:],
    body: [UInt8] = [], limits: TransferLimits, addressPolicy: AddressPolicy = .none,
    onUpload: UploadObserver? = nil, onEvents: EventObserver? = nil
  ) {
    self.method = method
    self.address = address
    self.headers = headers
    self.body = body
    self.limits = limits
    self.addressPolicy = addressPolicy
    self.onUpload = onUpload
    self.onEvents = onEvents
  }
}

/// Signing of a request to an object storage (AWS Signature Version 4).
package struct RequestSigning: Sendable {
  package var region: String
  package var keys: BucketKeys

  package init(region: String, keys: BucketKeys) {
    self.region = region
    self.keys = keys
  }
}

/// Told how many bytes of how many have been sent.
package typealias UploadObserver = @Sendable (_ sent: Int, _ total: Int) -> Void

/// Takes a piece of a stream of events, from an internal queue; false ends the transfer.
package typealias EventObserver = @Sendable (UnsafeRawBufferPointer) -> Bool

/// The answer to one request.
package struct HTTPHopResponse: Sendable {
  package var response: HTTPResponse
  /// Target of a redirect, made absolute; text of a stranger.
  package var redirect: String?
  /// The part of the network that answered; nil where the transport has no network.
  package var zone: NetworkZone?

  package init(response: HTTPResponse, redirect: String? = nil, zone: NetworkZone? = nil) {
    self.response = response
    self.redirect = redirect
    self.zone = zone
  }
}

/// Limits of one answer in bytes and time.
package struct TransferLimits: Hashable, Sendable {
  /// Bytes of the body after it was decompressed.
  package var bodyBytes: Int
  /// Time to look the name up, connect and agree on encryption.
  package var connect: Duration
  /// Time without a single byte in either direction, in whole seconds; zero sets none.
  package var idle: Duration
  /// Time for everything together.
  package var total: Duration

  package init(bodyBytes: Int, connect: Duration, idle: Duration, total: Duration) {
    self.bodyBytes = bodyBytes
    self.connect = connect
    self.idle = idle
    self.total = total
  }

  /// For pages, details and everything else that is JSON.
  package static let json = TransferLimits(
    bodyBytes: 8 << 20, connect: .seconds(10), idle: .seconds(15), total: .seconds(30))

  /// For streams of events, which end by themselves in the end; whoever follows one hears whether it is
  /// still alive.
  package static let stream = TransferLimits(
    bodyBytes: 1 << 20, connect: .seconds(10), idle: .zero, total: .seconds(7 * 86_400))

  /// For an answer that the server waits with.
  package static let poll = TransferLimits(
    bodyBytes: 8 << 20, connect: .seconds(10), idle: .seconds(45), total: .seconds(75))

  package static let picture = TransferLimits(
    bodyBytes: 20 << 20, connect: .seconds(10), idle: .seconds(15), total: .seconds(60))

  /// For writes with pictures in them, which a slow line takes long to send.
  package static let upload = TransferLimits(
    bodyBytes: 8 << 20, connect: .seconds(10), idle: .seconds(30), total: .seconds(300))
}

/// Reason why a request got no usable answer.
package enum TransportError: Error, Hashable, Sendable {
  /// libcurl is not installed, or older than 7.85.
  case libraryMissing
  /// This system has no descriptors or memory left to ask with.
  case exhausted
  case nameNotFound
  case refused
  /// A deadline passed: to connect, without any byte, or in all.
  case timedOut
  /// The connection ended before the answer did.
  case disconnected
  /// The certificate or the encryption was not accepted.
  case insecure
  /// A redirect out of encryption.
  case redirectUnencrypted
  /// More redirects than the limit.
  case tooManyRedirects
  /// A redirect to where no request of this kind may go.
  case redirectRefused
  /// The address lies in a network that the request may not reach.
  case fenced
  /// The answer is longer than its limit.
  case tooLarge
  /// The answer breaks HTTP or its encoding.
  case malformed
  /// Nobody waits for the answer any more.
  case cancelled

  /// Whether a request that is safe to repeat may succeed a moment later.
  var isWorthRetrying: Bool {
    switch self {
    case .disconnected: true
    case .libraryMissing, .exhausted, .nameNotFound, .refused, .timedOut, .insecure,
      .redirectUnencrypted, .tooManyRedirects, .redirectRefused, .fenced, .tooLarge, .malformed,
      .cancelled:
      false
    }
  }
}

extension RepositoryError {
  /// The one place where failures of the network become failures of a repository.
  init(_ error: TransportError) {
    self =
      switch error {
      case .libraryMissing: .unreachable(.libraryMissing)
      case .exhausted: .unreachable(.exhausted)
      case .nameNotFound: .unreachable(.nameNotFound)
      case .refused: .unreachable(.refused)
      case .timedOut: .unreachable(.timedOut)
      case .disconnected: .unreachable(.disconnected)
      case .insecure: .unreachable(.insecure)
      case .redirectUnencrypted: .badAnswer(.redirectUnencrypted)
      case .tooManyRedirects: .badAnswer(.tooManyRedirects)
      // The market itself is behind no fence.
      case .redirectRefused, .fenced: .badAnswer(.redirectRefused)
      case .tooLarge: .badAnswer(.tooLarge)
      case .malformed: .badAnswer(.unreadable)
      case .cancelled: .cancelled
      }
  }

  /// Whether a write may have been done although this was its answer.
  var leavesOutcomeOpen: Bool {
    switch self {
    case .unreachable(let failure):
      ![.libraryMissing, .exhausted, .nameNotFound, .refused, .insecure].contains(failure)
    case .badAnswer, .cancelled: true
    default: false
    }
  }
}
