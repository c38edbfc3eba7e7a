import MarketModel

extension ClientNetwork: ExpressibleByStringLiteral {
  /// A network as tests write it, by an address.
  package init(stringLiteral address: String) { self.init(of: address) }
}
