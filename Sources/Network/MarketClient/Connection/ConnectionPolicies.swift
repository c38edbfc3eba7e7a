import MarketAPI

/// How often and how late a request that is safe to repeat is sent again.
package struct RetryPolicy: Hashable, Sendable {
  /// How often a request is repeated after the first time.
  package var repetitions: Int
  /// The pause before the first repetition; each further one is twice as long.
  package var firstPause: Duration
  /// The longest pause that a server may ask for; where it asks for more, its answer stands.
  package var longestPause: Duration

  package init(
    repetitions: Int = 2, firstPause: Duration = .milliseconds(250),
    longestPause: Duration = .seconds(10)
  ) {
    self.repetitions = repetitions
    self.firstPause = firstPause
    self.longestPause = longestPause
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
    if let asked, asked > longestPause { return nil }
    let full = firstPause * (1 << (repetition - 1))
    return max(min(full, longestPause) * (1 - random / 2), asked ?? .zero)
  }
}

/// Where redirects may lead.
///
/// At most five; http and https only; never from https to http; credentials stay at their origin;
/// what changes something stays at its origin altogether, since its body holds a password.
enum RedirectPolicy {
  static let limit = 5
  private static let credentials = [HeaderName.identifier, "authorization"]

  /// The request that follows a redirect; nil where the answer is none.
  ///
  /// `count` redirects were followed before; the fence holds for another origin. Throws
  /// `.tooManyRedirects`, `.insecure` or `.redirectRefused`.
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
