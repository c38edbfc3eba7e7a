/// Why a body is no form.
package enum MultipartError: Error, Hashable, Sendable {
  /// Neither the content type nor the body names a boundary.
  case noBoundary
  /// The boundary does not occur in the body.
  case noParts
  case tooManyParts(maximum: Int)
  case headersTooLong(maximumBytes: Int)
  /// A part's headers do not end, or do not name the part.
  case brokenHeaders

  /// One sentence for the sender.
  package var reason: String {
    switch self {
    case .noBoundary: "the form has no boundary"
    case .noParts: "the boundary does not occur in the form"
    case .tooManyParts(let maximum): "the form has more than \(maximum) parts"
    case .headersTooLong(let maximum): "the headers of a part are longer than \(maximum) bytes"
    case .brokenHeaders: "the headers of a part are malformed"
    }
  }
}
