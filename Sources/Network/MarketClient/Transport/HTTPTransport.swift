import MarketAPI
import MarketModel

/// Transport that sends one request to one address and returns its response.
///
/// Redirects, retries and the meaning of the response are left to the caller.
package protocol HTTPTransport: Sendable {
  /// Returns the response, of any status.
  /// - Throws: `.cancelled` as soon as the calling task is cancelled; the other cases as
  ///   `TransportError` documents them, but for those of redirects.
  func answer(to hop: HTTPHop) async throws(TransportError) -> HTTPHopResponse
}

/// Request to one address, a step of a chain of redirects.
package struct HTTPHop: Sendable {
  package var method: HTTPMethod
  package var address: WebAddress
  package var headers: HTTPHeaders
  package var body: [UInt8]
  package var limits: TransferLimits
  package var addressPolicy: AddressPolicy
  /// Called with the progress of the body, on an internal queue; nil reports none.
  package var onUpload: UploadObserver?
  /// Receives the body of an event stream in pieces; any other body is collected.
  package var onEvents: EventObserver?
  /// Signature of the request; nil sends it unsigned.
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

/// Function that is called with the bytes sent so far and their total.
package typealias UploadObserver = @Sendable (_ sent: Int, _ total: Int) -> Void

/// Function that receives a piece of an event stream on an internal queue; false ends the transfer.
package typealias EventObserver = @Sendable (UnsafeRawBufferPointer) -> Bool

/// Response to one hop, with what only the transport knows.
package struct HTTPHopResponse: Sendable {
  package var response: HTTPResponse
  /// Absolute target of a redirect, nil without one; untrusted text.
  package var redirect: String?
  /// Network zone that answered; nil if the transport has no network.
  package var zone: NetworkZone?

  package init(response: HTTPResponse, redirect: String? = nil, zone: NetworkZone? = nil) {
    self.response = response
    self.redirect = redirect
    self.zone = zone
  }
}

/// Limits of one response in bytes and time; beyond them the transport throws `.tooLarge` or
/// `.timedOut`.
package struct TransferLimits: Hashable, Sendable {
  /// Maximum size of the body in bytes after decompression.
  package var bodyBytes: Int
  /// Maximum time for name resolution, connection and TLS handshake.
  package var connect: Duration
  /// Maximum time without a byte in either direction, rounded up to whole seconds; zero sets none.
  package var idle: Duration
  /// Maximum time for the whole request.
  package var total: Duration

  package init(bodyBytes: Int, connect: Duration, idle: Duration, total: Duration) {
    self.bodyBytes = bodyBytes
    self.connect = connect
    self.idle = idle
    self.total = total
  }

  /// Limits of pages, details and other JSON.
  package static let json = TransferLimits(
    bodyBytes: 8 << 20, connect: .seconds(10), idle: .seconds(15), total: .seconds(30))

  /// Limits of event streams, which the server ends in time; the reader detects silence itself.
  package static let stream = TransferLimits(
    bodyBytes: 1 << 20, connect: .seconds(10), idle: .zero, total: .seconds(7 * 86_400))

  /// Limits of long polls.
  package static let poll = TransferLimits(
    bodyBytes: 8 << 20, connect: .seconds(10), idle: .seconds(45), total: .seconds(75))

  package static let picture = TransferLimits(
    bodyBytes: 20 << 20, connect: .seconds(10), idle: .seconds(15), total: .seconds(60))

  /// Limits of writes with pictures, which a slow line takes long to send.
  package static let upload = TransferLimits(
    bodyBytes: 8 << 20, connect: .seconds(10), idle: .seconds(30), total: .seconds(300))
}

/// Reason why a request got no usable response.
package enum TransportError: Error, Hashable, Sendable {
  /// libcurl is not installed, or older than 7.85.
  case libraryMissing
  /// The process has no descriptors or memory left.
  case exhausted
  case nameNotFound
  case refused
  /// A time limit passed: to connect, without a byte, or in all.
  case timedOut
  /// The connection ended before the response did.
  case disconnected
  /// The certificate or the encryption was not accepted.
  case insecure
  /// A redirect from https to http.
  case redirectUnencrypted
  /// More redirects than the limit.
  case tooManyRedirects
  /// A redirect to an address that this request may not be sent to.
  case redirectRefused
  /// The address lies in a network zone that the policy forbids.
  case fenced
  /// The response is larger than its limit.
  case tooLarge
  /// The response violates HTTP or its encoding.
  case malformed
  /// The calling task was cancelled.
  case cancelled

  /// Whether a safe request may succeed if it is sent again.
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
  /// Maps errors of the transport; the only place that does for repositories.
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
      // The market's own address is not restricted.
      case .redirectRefused, .fenced: .badAnswer(.redirectRefused)
      case .tooLarge: .badAnswer(.tooLarge)
      case .malformed: .badAnswer(.unreadable)
      case .cancelled: .cancelled
      }
  }
}
