import MarketAPI
import MarketModel

/// Format of a file of products.
package enum ArchiveFormat: Hashable, Sendable {
  /// One JSON object a line with all that a market holds of a product; pictures lie beside the file.
  case lines
  /// Separated values (RFC 4180) with a line of column names; no pictures and no passwords.
  case table

  /// By the ending of a file's name: `.csv` and `.tsv` are tables, everything else lines.
  package init(path: String) {
    let path = path.lowercased()
    self = path.hasSuffix(".csv") || path.hasSuffix(".tsv") ? .table : .lines
  }

  /// By the beginning of what a pipe brings: what opens with a record of a table's column names is a
  /// table.
  init(sniffing bytes: [UInt8]) {
    self = TableSource.isTable(bytes) ? .table : .lines
  }
}

/// Reads products one after the other, whatever a file's format.
protocol ProductSource {
  /// The next product, or what is wrong with it; nil at the end.
  mutating func next() throws(TransferError) -> SourceRecord?

  /// Whether bytes are a product in this file.
  func reads(_ bytes: [UInt8]) -> Bool

  /// Names of columns that are not read.
  var unknownColumns: [String] { get }
}

/// One product of a file.
struct SourceRecord {
  /// Line where it begins, counted from 1.
  let line: Int
  /// Bytes that it was read from.
  let bytes: [UInt8]
  let product: Result<SourceProduct, ImportProblem.Reason>
}

/// A product as a file has it.
struct SourceProduct {
  var product: ArchivedProduct
  /// The fields that are named, where it is one of the market's own.
  var changes: FieldValues?
  /// The market that is named; nil where none is.
  var market: String?
  /// The dates that are named, in seconds since 1970.
  var created: Int64?
  var changed: Int64?

  init(_ product: ArchivedProduct) {
    self.product = product
  }
}

/// Rules for a product that comes in: those of every store, but pictures may be missing.
enum ArchiveRules {
  private static let maxHashLength = 128
  /// The order in which the first problem of a product is looked for.
  private static let order = ProductField.all(
    beginningWith: [.price, .currency, .name, .description])

  /// The value of a field that a file does not name.
  static func standard(of field: ProductField) throws(ImportProblem.Reason) -> FieldValue {
    guard let standard = field.standard else { throw .field(FieldError(field, .missing)) }
    return standard
  }

  /// A product of values that keep the rules of their fields.
  static func product(
    of values: FieldValues, created: Int64, changed: Int64
  ) throws(ImportProblem.Reason) -> ArchivedProduct {
    if let problem = order.lazy.flatMap({ $0.problems(in: values) }).first { throw .field(problem) }
    guard let product = ArchivedProduct(values, created: created, changed: changed) else {
      throw .field(FieldError(.price, .unreadable))
    }
    return product
  }

  /// Checks what is no field of a form.
  static func check(_ product: ArchivedProduct) throws(ImportProblem.Reason) {
    guard TextLimit.sellerName.allows(product.seller.name) else {
      throw .unreadable("seller", holding: product.seller.name, .seller)
    }
    guard StorageRules.versions.contains(product.version) else {
      throw .unreadable("version", holding: String(product.version), .number)
    }
    let hash = product.passwordHash
    guard hash.isEmpty || hash.hasPrefix("$argon2id$") && hash.utf8.count <= maxHashLength else {
      throw .unreadable("passwordHash", holding: "…", .passwordHash)
    }
    for name in product.pictures where !PictureFolder.isName(name) { throw .pictureMissing(name) }
  }

  /// An instant in seconds since 1970, from such a number or from a date.
  static func seconds(_ text: String) -> Int64? {
    DecimalNumber(text).flatMap { WireDate.read(seconds: $0) }?.seconds
      ?? WireDate.read(text)?.seconds
  }
}
