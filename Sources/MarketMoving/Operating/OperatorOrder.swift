import MarketModel

/// What whoever runs a market wants done to it.
package enum OperatorOrder: Hashable, Sendable {
  /// Give an identifier, which comes by itself, its number and name.
  case setSeller(number: Seller.ID? = nil, name: String? = nil)
  /// Take products out without their passwords.
  case remove([Product.ID])
  /// Refuse what a seller writes, or take it again.
  case setBlocked(Bool, Seller.ID)

  /// What is wrong with the words of an order.
  package enum Mistake: Error, Hashable, Sendable {
    /// There is too little; how it is written.
    case missing(String)
    /// A word that is no number where one belongs.
    case noNumber(String)
  }

  /// The first words of all orders.
  package static let commands = ["seller", "remove"]

  /// Takes an order from the words behind its first one.
  ///
  /// - Parameters:
  ///   - command: one of `commands`.
  ///   - words: what follows; options are not among them.
  /// - Throws: what is missing, or the word that is no number.
  package init(_ command: String, _ words: inout ArraySlice<String>) throws(Mistake) {
    guard command == "seller" else {
      var ids: [Product.ID] = []
      while let word = words.popFirst() { ids.append(.init(rawValue: try Self.number(word))) }
      guard !ids.isEmpty else { throw .missing("remove ID...") }
      self = .remove(ids)
      return
    }
    switch words.popFirst() {
    case "set": self = .setSeller()
    case let verb? where verb == "block" || verb == "unblock":
      guard let word = words.popFirst() else { throw .missing("seller \(verb) ID") }
      self = .setBlocked(verb == "block", Seller.ID(rawValue: try Self.number(word)))
    default: throw .missing("seller set|block ID|unblock ID")
    }
  }

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

  private static func number(_ word: String) throws(Mistake) -> Int64 {
    guard let number = Int64(word), number >= 0 else { throw .noNumber(word) }
    return number
  }
}
