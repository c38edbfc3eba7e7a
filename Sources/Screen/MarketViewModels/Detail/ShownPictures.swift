internal import MarketModel

/// Memory of which picture of a product was shown last, for the products that were turned last.
struct ShownPictures {
  private var indices: [Product.ID: Int] = [:]
  /// The products that have an index, the latest last.
  private var order: [Product.ID] = []

  /// Products that are remembered.
  static let most = 200

  init() {}

  /// Takes up what was remembered before, the latest last.
  init(_ pictures: [ShownPicture]) {
    for picture in pictures { self[picture.product] = picture.index }
  }

  /// The latest last.
  var all: [ShownPicture] {
    order.compactMap { id in indices[id].map { ShownPicture(product: id, index: $0) } }
  }

  /// 0 for a product that is not remembered.
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
