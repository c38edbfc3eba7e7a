import Synchronization

/// Product of a list with the beginning of its description, and its row as servers have written it.
///
/// A product that changes gets another row.
package final class ListedRow: Sendable {
  /// Form in which a row is written.
  package struct Form: Hashable, Sendable {
    private let dialect: String
    /// Prefix of the addresses in the row.
    private let base: String
    private let timeZone: TimeZone

    package init(dialect: String, base: String, daysIn timeZone: TimeZone = .utc) {
      (self.dialect, self.base, self.timeZone) = (dialect, base, timeZone)
    }
  }

  /// Maximum number of characters of a description in a list.
  package static let characters = 1_000
  /// Approximate bytes of a product, and of what is written of it, beside its texts.
  private static let fixedBytes = 1_024

  package let product: Product
  package let description: String
  package let version: Int64
  private let written = Mutex<[(form: Form, bytes: [UInt8])]>([])

  package init(_ product: Product, description: String, version: Int64) {
    self.product = product
    self.description = description
    self.version = version
  }

  /// Maximum bytes of the row with everything that is written of it.
  package var byteCount: Int { textBytes + Self.fixedBytes + capacity }
  private var textBytes: Int {
    product.name.utf8.count + product.seller.name.utf8.count + description.utf8.count
  }
  /// Maximum bytes of the forms that are kept; the oldest ones make capacity for others.
  private var capacity: Int { 2 * (Self.fixedBytes + textBytes) }

  /// Returns the row in a form, as `write` returns it the first time.
  package func bytes(in form: Form, writing write: () -> [UInt8]) -> [UInt8] {
    let known = written.withLock { $0.first { $0.form == form }?.bytes }
    if let known { return known }
    let bytes = write()
    written.withLock { forms in
      forms.append((form, bytes))
      while forms.reduce(0, { $0 + $1.bytes.count }) > capacity { forms.removeFirst() }
    }
    return bytes
  }
}

extension ListedRow: Hashable {
  package static func == (left: ListedRow, right: ListedRow) -> Bool {
    left.version == right.version && left.product == right.product
      && left.description == right.description
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(product.id) }
}
