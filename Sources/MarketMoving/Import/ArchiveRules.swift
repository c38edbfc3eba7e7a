import MarketAPI
import MarketModel

/// What a product that comes in has to keep: the rules of every store, but pictures may be missing.
enum ArchiveRules {
  private static let longestHash = 128
  /// The order in which the first problem is looked for.
  private static let order = FieldDescription.all(
    beginningWith: [.price, .currency, .name, .description])

  static func check(_ product: ArchivedProduct) throws(ImportProblem.Reason) {
    let values = product.fieldValues
    let problems = order.flatMap { $0.problems(values) }
    if let problem = problems.first { throw .field(problem) }
    guard TextLimit.sellerName.allows(product.seller.name) else { throw .unreadable("seller") }
    guard StorageRules.versions.contains(product.version) else { throw .unreadable("version") }
    let hash = product.passwordHash
    guard hash.isEmpty || hash.hasPrefix("$argon2id$") && hash.utf8.count <= longestHash else {
      throw .unreadable("passwordHash")
    }
    for name in product.pictures where !PictureFolder.isName(name) { throw .pictureMissing(name) }
  }

  /// A price from amounts in hundredths.
  static func price(
    _ full: Int64, discount: Int64, currency code: String
  ) throws(ImportProblem.Reason) -> Price {
    let currency = Currency(rawValue: code)
    let values: FieldValues = [
      .price: .amount(full), .discount: .amount(discount), .currency: .code(code),
    ]
    let problems = order.flatMap { $0.problems(values) }
    if let problem = problems.first { throw .field(problem) }
    let money = Money(hundredths: full, currency: currency)
    guard let price = Price(full: money, discountHundredths: discount) else {
      throw .unreadable("price")
    }
    return price
  }

  /// An instant in seconds since 1970, from such a number or from a date.
  static func seconds(_ text: String) -> Int64? {
    DecimalNumber(text).flatMap { WireDate.read(seconds: $0) }?.seconds
      ?? WireDate.read(text)?.seconds
  }
}
