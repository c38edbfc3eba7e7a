/// Key of a market on this computer: the same at every run, fit for a file's name, and without secrets.
///
/// `local` is the local market; the others begin with `file-` or `server-`.
package struct MarketKey: RawRepresentable, Hashable, Sendable {
  package let rawValue: String

  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  package static let local = MarketKey(rawValue: "local")
}
