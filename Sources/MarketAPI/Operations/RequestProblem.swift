import MarketModel

/// Why a request is no operation.
package enum RequestProblem: Error, Hashable, Sendable {
  /// No dialect has such a path.
  case unknownRoute
  /// The path exists for these methods only.
  case methodNotAllowed([HTTPMethod])
  /// A part of the request that is no field of a product cannot be used: a parameter, a header or
  /// the body, by its name.
  case malformed(part: String, reason: String)
  /// The fields of the product that are missing or cannot be read.
  case invalid([FieldError])
}
