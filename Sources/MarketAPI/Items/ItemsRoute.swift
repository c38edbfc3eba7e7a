import MarketModel

/// The paths of v1, written and read by one definition.
enum ItemsRoute: Hashable {
  /// `/items/:page`; nil for a page that is no number.
  case page(Int?)
  /// `/item`
  case items
  /// `/item/:id`
  case item(Product.ID)

  var target: RequestTarget {
    switch self {
    case .page(let number): RequestTarget(segments: ["items", String(number ?? 1)])
    case .items: "/item"
    case .item(let id): RequestTarget(segments: ["item", String(id.rawValue)])
    }
  }

  /// Reads the words of a path, whose case does not matter; nil for a path of another dialect.
  init?(segments: [String]) {
    switch (segments.first?.lowercased(), segments.count) {
    case ("items", 2): self = .page(Int(segments[1]).flatMap { $0 >= 1 ? $0 : nil })
    case ("item", 1): self = .items
    case ("item", 2):
      guard let id = Product.ID(segment: segments[1]) else { return nil }
      self = .item(id)
    default: return nil
    }
  }
}
