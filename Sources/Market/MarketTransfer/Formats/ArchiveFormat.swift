import MarketAPI
import MarketModel

/// Format of a file of products.
package enum ArchiveFormat: Hashable, Sendable {
  /// One JSON object in each line, with all fields that a market stores of a product; pictures are beside
  /// the file.
  case lines
  /// Separated values (RFC 4180) with a line of column names; no pictures and no passwords.
  case table

  /// By the extension of a file to be written: `.csv` and `.tsv` are tables, all others lines.
  package init(path: String) {
    let path = path.lowercased()
    self = path.hasSuffix(".csv") || path.hasSuffix(".tsv") ? .table : .lines
  }

  /// By the extension of a file to be read; nil where only its start tells.
  init?(ofFile path: String) {
    let path = path.lowercased()
    if [".ndjson", ".jsonl", ".json"].contains(where: path.hasSuffix) {
      self = .lines
    } else if [".csv", ".tsv", ".tab"].contains(where: path.hasSuffix) {
      self = .table
    } else {
      return nil
    }
  }

  /// By the start of a file's content: it is a table where the first record has a table's column names.
  init(sniffing bytes: [UInt8], _ options: TableOptions = TableOptions()) {
    self = TableSource.isTable(bytes, options) ? .table : .lines
  }
}

/// Reader of products from a file of any format.
protocol ProductSource {
  /// The next record; nil at the end.
  /// - Throws: `.file` where reading fails; `.encoding`.
  mutating func next() throws(TransferError) -> SourceRecord?

  /// Names of columns that are ignored.
  var unknownColumns: [String] { get }

  /// The columns of a table; nil for lines.
  var columns: TableColumns? { get }

  /// The encoding that was guessed so far; nil where none had to be.
  var guessedEncoding: TextEncoding? { get }
}

extension ProductSource {
  var unknownColumns: [String] { columns?.unknown ?? [] }
  var columns: TableColumns? { nil }
  var guessedEncoding: TextEncoding? { nil }
}

/// One product of a file, or the reason why it is invalid.
struct SourceRecord {
  /// Lines of the file, from 1.
  let lines: ClosedRange<Int>
  let byteCount: Int
  /// Rows that are this product.
  var rowCount = 1
  var product: Result<SourceProduct, ImportProblem.Reason>
}

/// Product with the values that a file names.
struct SourceProduct {
  var product: ArchivedProduct
  /// The named fields, where it is one of the market's own products; nil for others.
  var changes: FieldValues?
  /// The named market; nil where there is none.
  var market: String?
  /// The named dates, in seconds since 1970; nil where there are none.
  var created: Int64?
  var changed: Int64?
  /// Fields whose usual value was taken, since neither the row nor the user names one.
  var assumed: Set<ProductField> = []
  /// Currency of the amounts of the market's own product, where the file names none for the product.
  var amountCurrency: Currency?
  /// What was changed in the row.
  var remarks: [ImportProblem.Reason] = []
  /// Web addresses of photos.
  var photoAddresses: [String] = []

  init(_ product: ArchivedProduct) {
    self.product = product
  }
}

/// Rules for imported products: those of every store, except that pictures may be missing.
enum ArchiveRules {
  /// The order in which a product's fields are checked.
  private static let order = ProductField.all(
    beginningWith: [.price, .currency, .name, .description])

  /// The default of a field that a file does not name.
  /// - Throws: `.field` for a required field.
  static func standard(of field: ProductField) throws(ImportProblem.Reason) -> FieldValue {
    guard let standard = field.standard else { throw .field(FieldError(field, .missing)) }
    return standard
  }

  /// A product of valid field values.
  /// - Throws: `.field` with the first invalid field.
  static func product(
    of values: FieldValues, created: Int64, changed: Int64
  ) throws(ImportProblem.Reason) -> ArchivedProduct {
    if let problem = order.lazy.flatMap({ $0.problems(in: values) }).first { throw .field(problem) }
    guard let product = ArchivedProduct(values, created: created, changed: changed) else {
      throw .field(FieldError(.price, .unreadable))
    }
    return product
  }

  /// Checks values that are not product fields, and, unless a market exported it, that something of the
  /// name can be seen and no text has control characters: foreign clients may give a product any texts.
  /// - Throws: `.field` for a text; `.unreadable` for a seller, version or password hash;
  ///   `.pictureMissing` for an invalid file name.
  static func check(
    _ product: ArchivedProduct, ofMarket isExported: Bool
  ) throws(ImportProblem.Reason) {
    if !isExported,
      let problem = ProductField.texts.lazy.compactMap({ $0.textProblem(of: product[$0]) }).first
    {
      throw .field(problem)
    }
    guard StorageRules.sellerName(product.seller.name).isEmpty else {
      throw .unreadable("seller", holding: product.seller.name, .seller)
    }
    guard StorageRules.versions.contains(product.version) else {
      throw .unreadable("version", holding: String(product.version), .number)
    }
    let hash = product.passwordHash
    guard
      hash.isEmpty
        || hash.hasPrefix("$argon2id$") && hash.utf8.count <= StorageRules.passwordHashBytes
    else {
      throw .unreadable("passwordHash", holding: "…", .passwordHash)
    }
    for name in product.pictures where !PictureFolder.isName(name) { throw .pictureMissing(name) }
  }

  /// Seconds since 1970, from such a number or from a date; nil for other texts.
  static func seconds(_ text: String) -> Int64? {
    DecimalNumber(text).flatMap { WireDate.read(seconds: $0) }?.seconds
      ?? WireDate.read(text)?.seconds
  }
}
