import MarketAPI

/// One request to one address.
package struct HTTPHop: Sendable {
  package var method: HTTPMethod
  package var address: WebAddress
  package var headers: HTTPHeaders
  package var body: [UInt8]
  package var limits: TransferLimits
  package var fence: AddressFence
  /// Called as the body goes out, from an internal queue.
  package var onUpload: UploadObserver?

  package init(
    method: HTTPMethod, address: WebAddress, headers: HTTPHeaders = [:],
    body: [UInt8] = [], limits: TransferLimits, fence: AddressFence = .none,
    onUpload: UploadObserver? = nil
  ) {
    self.method = method
    self.address = address
    self.headers = headers
    self.body = body
    self.limits = limits
    self.fence = fence
    self.onUpload = onUpload
  }
}

/// Told how many bytes of how many have been sent.
package typealias UploadObserver = @Sendable (_ sent: Int, _ total: Int) -> Void

/// The answer to one request.
package struct HTTPHopAnswer: Sendable {
  package var response: HTTPResponse
  /// Where a redirect leads, made absolute; text of a stranger.
  package var redirect: String?
  /// The part of the network that answered; nil where the transport has no network.
  package var zone: NetworkZone?

  package init(response: HTTPResponse, redirect: String? = nil, zone: NetworkZone? = nil) {
    self.response = response
    self.redirect = redirect
    self.zone = zone
  }
}
