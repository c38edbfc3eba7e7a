import MarketModel

/// Size limit of a page in bytes of JSON, and the cuts that keep to it.
///
/// Every text has a limit of its own, but a thousand texts at their limits would exceed the memory that a
/// client should need.
package enum PageBound {
  /// Maximum size of a page of our servers in bytes; clients accept more (`TransferLimits.json`).
  package static let bytes = 6 << 20
  /// Bytes of a product besides its texts: keys, numbers, dates and an address.
  private static let rowBytes = 1_024

  /// The number of a page's products that fit, from the first one on; at least 1.
  package static func fittingCount(of page: ProductPage) -> Int {
    guard mayExceed(page) else { return page.products.count }
    var left = bytes
    for (index, product) in page.products.enumerated() {
      left -= rowBytes + size(product.name) + size(product.seller.name)
      if index < page.descriptions.count { left -= size(page.descriptions[index]) }
      if left < 0 { return max(1, index) }
    }
    return page.products.count
  }

  /// Cuts the longest descriptions until the page fits with all its products, and, where that is not
  /// enough, the longest names.
  package static func cut(_ page: inout ProductPage) {
    guard mayExceed(page) else { return }
    page.rows = []
    let products = page.products
    let rest = bytes - products.count * rowBytes
    let names = products.map(\.name) + products.map(\.seller.name)
    let left = rest - names.reduce(0) { $0 + size($1) }
    page.descriptions = cut(page.descriptions, to: max(0, left))
    guard left < 0 else { return }
    let cutNames = cut(names, to: rest)
    for index in products.indices {
      page.products[index].name = cutNames[index]
      page.products[index].seller.name = cutNames[products.count + index]
    }
  }

  /// Whether an exact count is needed: a byte takes at most six bytes when escaped.
  private static func mayExceed(_ page: ProductPage) -> Bool {
    let texts =
      page.products.reduce(0) { $0 + $1.name.utf8.count + $1.seller.name.utf8.count }
      + page.descriptions.reduce(0) { $0 + $1.utf8.count }
    return page.products.count * rowBytes + 6 * texts > bytes
  }

  /// Cuts the longest of some texts to one length at which all of them fit.
  private static func cut(_ texts: [String], to budget: Int) -> [String] {
    let sizes = texts.map(size)
    var left = budget
    for (index, size) in sizes.sorted().enumerated() {
      let share = left / (sizes.count - index)
      guard size > share else {
        left -= size
        continue
      }
      return zip(texts, sizes).map { $1 > share ? beginning(of: $0, of: share) : $0 }
    }
    return texts
  }

  private static func beginning(of text: String, of size: Int) -> String {
    var left = size
    let scalars = text.unicodeScalars.prefix { scalar in
      left -= JSONEscapes.byteCount(of: scalar)
      return left >= 0
    }
    return String(scalars)
  }

  private static func size(_ text: String) -> Int {
    var text = text
    return text.withUTF8 { JSONEscapes.byteCount(of: $0) }
  }
}
