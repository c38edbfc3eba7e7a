import MarketModel

/// What a v1 client expects to read after deleting.
package enum DeletionEcho: Hashable, Sendable {
  /// The whole product, as later clients do.
  case product
  /// Its number alone, as the first clients do; they send the number in the body too.
  case number
}

/// The two forms of the first step of deleting on v2.
package enum DeletionRoute: String, Hashable, Sendable {
  /// 2022: answers a bare key.
  case secret
  /// 2023: answers a path.
  case archived
}

/// What the first step of deleting on v2 answered, and the second step sends.
package enum DeletionKey: Hashable, Sendable {
  /// 2022: a key that is good for one product.
  case key(String, Product.ID)
  /// 2023: an encoded path that begins with one `/`.
  case path(String)

  /// The server's own word in it: the key, or the last segment of the path.
  package var token: String {
    switch self {
    case .key(let key, _): key
    case .path(let path): RequestTarget(path: path).segments.last ?? ""
    }
  }
}
