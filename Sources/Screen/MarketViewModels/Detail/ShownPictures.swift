internal import MarketModel

/// Last shown picture of each product, for a limited number of products.
struct ShownPictures {
  private var indices: [Product.ID: Int] = [:]
  /// Products that have an index, the latest last.
  private var order: [Product.ID] = []

  /// Maximum number of products; the oldest are dropped.
  static let most = 200

  init() {}

  /// Restores saved entries, the latest last.
  init(_ pictures: [ShownPicture]) {
    for picture in pictures { self[picture.product] = picture.index }
  }

  /// All entries, the latest last.
  var all: [ShownPicture] {
    order.compactMap { id in indices[id].map { ShownPicture(product: id, index: $0) } }
  }

  /// Index of the last shown picture; 0 without an entry, which setting 0 removes.
  subscript(id: Product.ID) -> Int {
    get { indices[id] ?? 0 }
    set {
      if indices[id] != nil { order.removeAll { $0 == id } }
      indices[id] = newValue == 0 ? nil : newValue
      if newValue != 0 { order.append(id) }
      if order.count > Self.most { indices[order.removeFirst()] = nil }
    }
  }
}
