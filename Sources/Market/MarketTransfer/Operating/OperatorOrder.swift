import MarketModel

/// What whoever runs a market wants done to it.
package enum OperatorOrder: Hashable, Sendable {
  /// Give an identifier, which comes by itself, its number and name.
  case setSeller(number: Seller.ID? = nil, name: String? = nil)
  /// Take products out without their passwords.
  case remove([Product.ID])
  /// Refuse what a seller writes, or take it again.
  case setBlocked(Bool, Seller.ID)

  /// The command line that asks for it.
  package var words: [String] {
    switch self {
    case .setSeller(let number, let name):
      ["seller", "set"] + (number.map { ["--id", String($0.rawValue)] } ?? [])
        + (name.map { ["--name", $0] } ?? [])
    case .remove(let ids): ["remove"] + ids.map { String($0.rawValue) }
    case .setBlocked(let isBlocked, let id):
      ["seller", isBlocked ? "block" : "unblock", String(id.rawValue)]
    }
  }
}
