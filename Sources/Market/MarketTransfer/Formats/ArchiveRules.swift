import MarketAPI
import MarketModel

/// What a product that comes in has to keep: the rules of every store, but pictures may be missing.
enum ArchiveRules {
  private static let longestHash = 128
  /// The order in which the first problem of a product is looked for.
  private static let order = FieldDescription.all(
    beginningWith: [.price, .currency, .name, .description])

  /// The value of a field that a file does not name.
  static func standard(of field: FieldDescription) throws(ImportProblem.Reason) -> FieldValue {
    guard let standard = field.standard else { throw .field(FieldError(field.field, .missing)) }
    return standard
  }

  /// A product of values that keep the rules of their fields.
  static func product(
    of values: FieldValues, created: Int64, changed: Int64
  ) throws(ImportProblem.Reason) -> ArchivedProduct {
    if let problem = order.lazy.flatMap({ $0.problems(values) }).first { throw .field(problem) }
    guard let product = ArchivedProduct(values, created: created, changed: changed) else {
      throw .unreadable("price")
    }
    return product
  }

  /// Checks what is no field of a form.
  static func check(_ product: ArchivedProduct) throws(ImportProblem.Reason) {
    guard TextLimit.sellerName.allows(product.seller.name) else { throw .unreadable("seller") }
    guard StorageRules.versions.contains(product.version) else { throw .unreadable("version") }
    let hash = product.passwordHash
    guard hash.isEmpty || hash.hasPrefix("$argon2id$") && hash.utf8.count <= longestHash else {
      throw .unreadable("passwordHash")
    }
    for name in product.pictures where !PictureFolder.isName(name) { throw .pictureMissing(name) }
  }

  /// An instant in seconds since 1970, from such a number or from a date.
  static func seconds(_ text: String) -> Int64? {
    DecimalNumber(text).flatMap { WireDate.read(seconds: $0) }?.seconds
      ?? WireDate.read(text)?.seconds
  }
}
