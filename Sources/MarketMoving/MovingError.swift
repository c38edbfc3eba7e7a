import Glibc
import MarketModel

/// Why a market could not be moved.
package enum MovingError: Error, Hashable, Sendable {
  /// The store would not.
  case market(RepositoryError)
  /// A file or folder cannot be used; the reason as the system words it.
  case file(path: String, reason: String)
  /// A file of this name is there already.
  case exists(path: String)
  /// The first line of a table does not name the columns that a product needs.
  case noColumns

  /// What the last call of the system complained about.
  static func system(_ path: String) -> MovingError {
    .file(path: path, reason: String(cString: strerror(errno)))
  }
}
