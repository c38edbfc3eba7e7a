import MarketAPI

/// Where redirects may lead.
///
/// At most five; http and https only; never from https to http; credentials stay at their origin;
/// what changes something stays at its origin altogether, since its body holds a password.
enum RedirectPolicy {
  static let limit = 5
  private static let credentials = [HeaderName.identifier, "authorization"]

  /// The request that follows a redirect; nil where the answer is none.
  ///
  /// - Parameters:
  ///   - answer: what came for the hop.
  ///   - hop: the request that was answered.
  ///   - count: how many redirects were followed before.
  ///   - fence: what a request to another origin may reach.
  /// - Returns: the next hop.
  /// - Throws: `.tooManyRedirects`, `.insecure` or `.redirectRefused`.
  static func next(
    after answer: HTTPHopAnswer, to hop: HTTPHop, count: Int, fence: AddressFence
  ) throws(TransportError) -> HTTPHop? {
    let status = answer.response.status.rawValue
    guard [301, 302, 303, 307, 308].contains(status), let location = answer.redirect else {
      return nil
    }
    guard count < limit else { throw .tooManyRedirects }
    guard let address = WebAddress(location) else { throw .redirectRefused }
    if hop.address.origin.scheme == .https, address.origin.scheme == .http { throw .insecure }
    let staysHome = address.origin == hop.address.origin
    guard hop.method == .get || (staysHome && status >= 307) else { throw .redirectRefused }
    var next = hop
    next.address = address
    if !staysHome {
      for name in credentials { next.headers[name] = nil }
      next.fence = fence
    }
    return next
  }
}
