import MarketAPI

/// What is remembered under which name.
enum CacheKey: Hashable, Sendable {
  /// What the server turned out to be.
  case server
  /// The answer to a request without a body, by its target.
  case answer(RequestTarget)
  /// A picture by its address.
  case picture(String)

  var text: String {
    switch self {
    case .server: "server"
    case .answer(let target): "answer " + target.text
    case .picture(let address): "picture " + address
    }
  }
}

/// A successful answer as it was remembered.
struct CacheEntry: Hashable, Sendable {
  /// When it came, in seconds since 1970.
  let seconds: Int64
  let response: HTTPResponse
}
