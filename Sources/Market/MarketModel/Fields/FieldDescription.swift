/// Description of one field of a product: the one place that says what the field is, which values it
/// takes, and how everything that carries products carries it.
///
/// Forms, the conflict box, drafts, archives, stores and dialects loop over `all`, and add in one
/// table of their own, by the same `ProductField`, what only they know: an editor, words, a column,
/// a key. A new field is a case of `ProductField`, a property of each carrier and an entry of this
/// table. A class, because each of its many closures would be counted wherever it is looped over.
package final class FieldDescription: Sendable {
  package let field: ProductField
  package let kind: FieldKind
  /// The field's name in files of products: in lines of JSON and in tables.
  package let archiveName: StaticString
  /// The value of a product that does not name the field in an archive; nil where it has to.
  package let standard: FieldValue?
  /// Whether a seller may leave the field empty, which then has its standard value.
  package let isOptional: Bool
  /// Whether a list of products tells the field, and not the detail alone.
  package let isListed: Bool

  /// What is wrong with the field among values; the price's entry looks at the discount as well.
  package let problems: @Sendable (FieldValues) -> [FieldError]
  /// The texts of the field in a product's content; see `ProductDetail.content`.
  fileprivate let content: @Sendable (ProductDetail) -> [String]

  fileprivate let detail: FieldLens<ProductDetail>
  fileprivate let registration: FieldLens<ProductRegistration>
  fileprivate let patch: FieldLens<ProductPatch>
  fileprivate let archived: FieldLens<ArchivedProduct>

  private init(
    _ field: ProductField, _ kind: FieldKind, _ archiveName: StaticString,
    standard: FieldValue? = nil, isOptional: Bool = false, isListed: Bool = false,
    problems: (@Sendable (FieldValues) -> [FieldError])? = nil,
    content: (@Sendable (ProductDetail) -> [String])? = nil,
    detail: FieldLens<ProductDetail> = .none,
    registration: FieldLens<ProductRegistration> = .none,
    patch: FieldLens<ProductPatch> = .none, archived: FieldLens<ArchivedProduct> = .none
  ) {
    self.field = field
    self.kind = kind
    self.archiveName = archiveName
    self.standard = standard
    self.isOptional = isOptional
    self.isListed = isListed
    self.problems =
      problems ?? { values in
        values[field].flatMap(kind.problem).map { [FieldError(field, $0)] } ?? []
      }
    self.content = content ?? { detail.value($0)?.texts ?? [] }
    (self.detail, self.registration) = (detail, registration)
    (self.patch, self.archived) = (patch, archived)
  }

  /// All fields in the order of the form.
  package static let all = ProductField.allCases.map(describe)

  /// All fields that archives spell out, in their order: pictures, which are files, come last.
  package static let inArchives = all(
    beginningWith: [.name, .description, .currency, .price, .discount, .stock])

  fileprivate static let inContent = all(beginningWith: [.name, .description, .stock, .price])

  package static subscript(field: ProductField) -> FieldDescription {
    byField[field] ?? describe(field)
  }

  private static let byField = Dictionary(uniqueKeysWithValues: all.map { ($0.field, $0) })

  /// All fields that have values: these first, then the others, pictures last.
  ///
  /// So an order that files and digests know stays what it is, and a new field has a place in it.
  package static func all(beginningWith first: [ProductField]) -> [FieldDescription] {
    let rest = all.filter { !first.contains($0.field) && $0.kind != .password }
    return first.map { FieldDescription[$0] } + rest.filter { $0.kind != .pictures }
      + rest.filter { $0.kind == .pictures }
  }
}

// MARK: The table

extension FieldDescription {
  private static func describe(_ field: ProductField) -> FieldDescription {
    switch field {
    case .pictures:
      FieldDescription(
        .pictures, .pictures, "pictures", standard: .pictures([]),
        detail: FieldLens { .pictures($0.pictures.map(\.original)) },
        archived: FieldLens(.pictures, \.pictures, .pictures))
    case .name:
      FieldDescription(
        .name, .line(.productName), "name", standard: .text(""), isListed: true, as: .text,
        detail: \.product.name, registration: \.name, patch: \.name, archived: \.name)
    case .price:
      FieldDescription(
        .price, .amount, "price", isListed: true, problems: priceProblems, content: priceContent,
        detail: FieldLens(value: { amount(of: $0) { $0.full.hundredths } }, take: takePrice),
        registration: FieldLens(.price, \.price.hundredths, .amount),
        patch: FieldLens(.price, optional: \.priceHundredths, .amount),
        archived: FieldLens(
          value: { .amount($0.price.full.hundredths) },
          take: { product, values in product.price = values.price ?? product.price }))
    case .currency:
      FieldDescription(
        .currency, .currency, "currency", standard: .code(Currency.krw.rawValue), isListed: true,
        content: { _ in [] },
        detail: FieldLens { $0.product.pricing.price.map { .code($0.currency.rawValue) } },
        registration: FieldLens(.currency, \.price.currency, .code),
        patch: FieldLens(.currency, optional: \.currency, .code),
        archived: FieldLens { .code($0.price.currency.rawValue) })
    case .discount:
      FieldDescription(
        .discount, .amount, "discount", standard: .amount(0), isOptional: true, isListed: true,
        problems: { _ in [] }, content: { _ in [] },
        detail: FieldLens { amount(of: $0, \.discountHundredths) },
        registration: FieldLens(.discount, \.discountHundredths, .amount),
        patch: FieldLens(value: amountTakenOff, take: takeAmountOff),
        archived: FieldLens { .amount($0.price.discountHundredths) })
    case .stock:
      FieldDescription(
        .stock, .number(StorageRules.stock), "stock", standard: .number(0), isListed: true,
        as: .number, detail: \.product.stock, registration: \.stock, patch: \.stock,
        archived: \.stock)
    case .description:
      FieldDescription(
        .description, .text(.description), "description", standard: .text(""), as: .text,
        detail: \.description, registration: \.description, patch: \.description,
        archived: \.description)
    case .password:
      // No value holds a password: it is checked, sent and wiped where it is.
      FieldDescription(.password, .password, "password")
    }
  }

  /// A field that all carriers hold in a property of the same kind.
  private convenience init<Value: Sendable>(
    _ field: ProductField, _ kind: FieldKind, _ archiveName: StaticString,
    standard: FieldValue? = nil, isOptional: Bool = false, isListed: Bool = false,
    as coding: FieldCoding<Value>,
    detail: any WritableKeyPath<ProductDetail, Value> & Sendable,
    registration: any WritableKeyPath<ProductRegistration, Value> & Sendable,
    patch: any WritableKeyPath<ProductPatch, Value?> & Sendable,
    archived: any WritableKeyPath<ArchivedProduct, Value> & Sendable
  ) {
    self.init(
      field, kind, archiveName, standard: standard, isOptional: isOptional, isListed: isListed,
      detail: FieldLens(field, detail, coding),
      registration: FieldLens(field, registration, coding),
      patch: FieldLens(field, optional: patch, coding),
      archived: FieldLens(field, archived, coding))
  }
}

// MARK: Price, currency and discount

/// Three fields that products hold as one price: the price's own entry takes all of them over.
extension FieldDescription {
  private static func amount(
    of detail: ProductDetail, _ hundredths: (Price) -> Int64
  ) -> FieldValue? {
    detail.product.pricing.price.map { .amount(hundredths($0)) }
  }

  @Sendable private static func takePrice(_ detail: inout ProductDetail, _ values: FieldValues) {
    guard values[.price] != nil else { return }
    detail.product.pricing = values.price.map { .readable($0) } ?? .unreadable
  }

  @Sendable private static func amountTakenOff(_ patch: ProductPatch) -> FieldValue? {
    guard case .amount(let hundredths) = patch.discount else { return nil }
    return .amount(hundredths)
  }

  @Sendable private static func takeAmountOff(_ patch: inout ProductPatch, _ values: FieldValues) {
    guard case .amount(let hundredths) = values[.discount] else { return }
    patch.discount = .amount(hundredths)
  }

  @Sendable private static func priceProblems(_ values: FieldValues) -> [FieldError] {
    guard case .amount(let full) = values[.price] else { return [] }
    guard case .amount(let discount) = values[.discount] else {
      return StorageRules.price(full, discount: 0)
    }
    return StorageRules.price(full, discount: discount)
  }

  @Sendable private static func priceContent(_ detail: ProductDetail) -> [String] {
    guard let price = detail.product.pricing.price else { return [] }
    return ["\(price.full.hundredths) \(price.discountHundredths) \(price.currency.rawValue)"]
  }
}

extension FieldValues {
  /// The price that the three fields make; nil where they make none.
  package var price: Price? {
    guard case .amount(let full) = self[.price] else { return nil }
    var (discount, currency) = (Int64(0), Currency.krw)
    if case .amount(let hundredths) = self[.discount] { discount = hundredths }
    if case .code(let code) = self[.currency] { currency = Currency(rawValue: code) }
    return Price(
      full: Money(hundredths: full, currency: currency), discountHundredths: discount)
  }
}

// MARK: Carriers

/// Something that carries the fields of a product.
package protocol FieldCarrier {
  /// How it carries a field.
  static func lens(of description: FieldDescription) -> FieldLens<Self>
}

extension FieldCarrier {
  /// The value of a field; nil for one that is not named or cannot be read.
  package subscript(field: ProductField) -> FieldValue? { value(of: FieldDescription[field]) }

  package func value(of description: FieldDescription) -> FieldValue? {
    Self.lens(of: description).value(self)
  }

  /// The values of all fields that it names; pictures that are files, and the password, are none.
  package var fieldValues: FieldValues {
    FieldValues(
      uniqueKeysWithValues: FieldDescription.all.compactMap { description in
        value(of: description).map { (description.field, $0) }
      })
  }

  /// Takes over the fields that are named.
  package mutating func take(_ values: FieldValues) {
    for description in FieldDescription.all { Self.lens(of: description).take(&self, values) }
  }
}

extension ProductDetail: FieldCarrier {
  package static func lens(of description: FieldDescription) -> FieldLens<ProductDetail> {
    description.detail
  }

  /// Takes over all that a patch names but the pictures, which a store has to find or keep.
  package mutating func change(by patch: ProductPatch) {
    take(patch.values(over: self))
  }

  /// Everything that an edit can change, as texts: their digest is the version of a product whose
  /// server has none.
  ///
  /// The first ones stand in the order in which drafts on disk know them.
  package var content: [String] {
    FieldDescription.inContent.flatMap { $0.content(self) }
  }
}

extension ProductRegistration: FieldCarrier {
  package static func lens(of description: FieldDescription) -> FieldLens<ProductRegistration> {
    description.registration
  }

  /// A registration of these values; what they do not name is as nothing.
  package init(_ values: FieldValues, pictures: [[UInt8]], password: Password) {
    self.init(
      name: "", description: "", price: Money(hundredths: 0, currency: .krw), stock: 0,
      pictures: pictures, password: password)
    take(values)
  }

  /// Whether all but the passwords are the same.
  package func isSame(as other: ProductRegistration) -> Bool {
    fieldValues == other.fieldValues && pictures == other.pictures
  }

  /// Whether a product is what this registration would have made, as far as a list tells.
  package func describes(_ product: Product) -> Bool {
    let detail = ProductDetail(product: product, description: "", pictures: [], version: nil)
    return FieldDescription.all.filter(\.isListed).allSatisfy {
      value(of: $0) == detail.value(of: $0)
    }
  }

  /// Whether a product has all that this registration says; pictures, which a market makes anew, are
  /// not looked at.
  package func describes(_ detail: ProductDetail) -> Bool {
    FieldDescription.all.allSatisfy { description in
      value(of: description).map { $0 == detail.value(of: description) } ?? true
    }
  }
}

extension ProductPatch: FieldCarrier {
  package static func lens(of description: FieldDescription) -> FieldLens<ProductPatch> {
    description.patch
  }

  /// The values of a product's fields as this patch leaves them, as far as it may change them; of
  /// price, currency and discount all or none.
  fileprivate func values(over detail: ProductDetail) -> FieldValues {
    var values = fieldValues
    guard let old = detail.product.pricing.price else {
      for field in [ProductField.price, .currency, .discount] { values[field] = nil }
      return values
    }
    let (full, discount) = prices(over: old)
    values[.price] = .amount(full.hundredths)
    values[.currency] = .code(full.currency.rawValue)
    values[.discount] = .amount(discount)
    return values
  }
}

extension ArchivedProduct: FieldCarrier {
  package static func lens(of description: FieldDescription) -> FieldLens<ArchivedProduct> {
    description.archived
  }

  /// A product of these values, and nil where they make no price; what they do not name is as nothing.
  ///
  /// Times are seconds since 1970 in UTC.
  package init?(_ values: FieldValues, created: Int64, changed: Int64) {
    guard let price = values.price else { return nil }
    self.init(name: "", price: price, stock: 0, created: created, changed: changed)
    take(values)
  }
}

// MARK: Rules

extension StorageRules {
  /// Everything that is wrong with a registration, in the order of the form.
  package static func problems(of registration: ProductRegistration) -> [FieldError] {
    let values = registration.fieldValues
    return FieldDescription.all.flatMap { description in
      switch description.kind {
      case .pictures: pictures(registration.pictures)
      case .password: password(registration.password)
      default: description.problems(values)
      }
    }
  }

  /// Everything that is wrong with a patch of a product, in the order of the form; a price that
  /// cannot be read is not checked.
  package static func problems(
    of patch: ProductPatch, over detail: ProductDetail
  ) -> [FieldError] {
    var values = patch.values(over: detail)
    // A currency that the product has already is none of the patch's.
    if patch.currency == nil { values[.currency] = nil }
    return FieldDescription.all.flatMap { description in
      guard description.kind == .pictures else { return description.problems(values) }
      return patch.pictures.map { pictures($0, of: detail.pictures) } ?? []
    }
  }
}
