import MarketModel

/// Product fields of a dialect: requests, responses and errors loop over `ProductField`, and ask the
/// dialect where it differs.
protocol WireFields: ErrorFields {
  /// The order of fields in registrations, where it differs from that of edits.
  var registrationOrder: [ProductField] { get }

  /// The discount value in a registration and in an edit; nil where it is not sent.
  func discount(of registration: ProductRegistration) -> Int64?
  /// - Throws: `.unsupported` for a discount in the form of the other dialect.
  func discount(of patch: ProductPatch) throws(RepositoryError) -> Int64?
  func set(
    discount: Int64?, into registration: inout ProductRegistration, from reader: inout FieldReader)
  func set(discount: Int64?, into patch: inout ProductPatch)

  /// The pictures of an edit.
  /// - Throws: `.unsupported` where the dialect cannot express the order.
  func write(
    _ pictures: ProductPatch.Pictures, as key: StaticString, to writer: inout RequestWriter
  ) throws(RepositoryError)
  func pictures(from reader: inout FieldReader) -> ProductPatch.Pictures?

  /// Reads price, currency and discount in a response.
  func pricing(in row: JSONValue) -> Pricing
}

/// Names of fields in errors.
protocol ErrorFields: Sendable {
  /// The dialect's name of a field; nil where it cannot carry it.
  func name(of field: ProductField) -> WireName?
}

/// Names of a product field in a dialect.
struct WireName: Sendable {
  /// The name in responses and errors.
  let key: StaticString
  /// Another accepted name.
  let other: StaticString?
  /// The name in requests.
  let sent: StaticString
  /// Whether a registration must have it.
  let isRequired: Bool

  init(
    _ key: StaticString, or other: StaticString? = nil, sentAs sent: StaticString? = nil,
    isRequired: Bool = false
  ) {
    (self.key, self.other, self.sent) = (key, other, sent ?? key)
    self.isRequired = isRequired
  }

  /// All names accepted in requests.
  var all: [StaticString] { [key] + (other.map { [$0] } ?? []) }
}

/// Options of a response beside the product.
struct ResponseOptions {
  let pictures: PictureAddresses
  /// Spelling of days.
  var dates = WireDate.Form.seconds
  /// Time zone of days.
  var timeZone = TimeZone.utc
}

// MARK: Names

extension ErrorFields {
  /// Fields that the dialect cannot carry.
  var notCarried: Set<ProductField> {
    Set(ProductField.allCases.filter { name(of: $0) == nil })
  }

  /// The names under which a field is read.
  func names(of field: ProductField) -> [StaticString] { name(of: field)?.all ?? [] }

  /// The name of a field in errors.
  func errorName(of field: ProductField) -> String {
    name(of: field)?.key.description ?? field.rawValue
  }

  /// The field of a name; nil for an unknown one.
  func field(named name: String) -> ProductField? {
    ProductField.allCases.first { names(of: $0).contains { $0.description == name } }
  }

  /// The field that a server's message mentions: the first whose name occurs in it.
  func field(mentionedIn message: String) -> ProductField? {
    let words = message.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    return words.lazy.compactMap { field(named: String($0)) }.first
  }
}

// MARK: Requests

extension ProductField {
  /// The order of fields in edits.
  fileprivate static let inEdits =
    all(beginningWith: [.name, .description, .price, .currency, .discount, .stock]) + [.password]
}

extension WireFields {
  var registrationOrder: [ProductField] { ProductField.inEdits }

  func write(
    _ registration: ProductRegistration, in form: RequestWriter.Form
  ) throws(RepositoryError) -> RequestWriter {
    var writer = RequestWriter(form)
    for field in registrationOrder {
      guard let key = name(of: field)?.sent else { continue }
      switch field {
      case .discount:
        if let amount = discount(of: registration) { try writer.amount(field, key, amount) }
      case .pictures: writer.pictures(key, registration.pictures)
      case .password: writer.password(key, registration.password)
      default:
        guard let value = registration[field], value != .absent else { continue }
        try writer.value(field, key, value)
      }
    }
    return writer
  }

  func write(
    _ update: ProductUpdate, in form: RequestWriter.Form
  ) throws(RepositoryError) -> RequestWriter {
    var writer = RequestWriter(form)
    for field in ProductField.inEdits {
      guard let key = name(of: field)?.sent else { continue }
      switch field {
      case .discount:
        if let amount = try discount(of: update.patch) { try writer.amount(field, key, amount) }
      case .pictures:
        if let pictures = update.patch.pictures { try write(pictures, as: key, to: &writer) }
      case .password: writer.password(key, update.password)
      default: if let value = update.patch[field] { try writer.value(field, key, value) }
      }
    }
    return writer
  }

  /// Reads a registration.
  /// - Throws: `.invalid` with all missing or unreadable fields.
  func registration(from request: RequestFields) throws(RequestProblem) -> ProductRegistration {
    var reader = FieldReader(request, fields: self)
    var registration = ProductRegistration(pictures: [], password: Password(""))
    for field in ProductField.allCases {
      guard let name = name(of: field) else { continue }
      switch field {
      case .discount:
        set(discount: reader.amount(field), into: &registration, from: &reader)
      case .pictures: registration.pictures = reader.requiredPictures()
      case .password: registration.password = reader.password()
      default:
        let values = reader.values(of: field)
        if values.isEmpty, name.isRequired, !isEmptyText(field, in: request) {
          reader.report(field, .missing)
        }
        registration.set(field, from: values)
      }
    }
    try reader.finish()
    return registration
  }

  /// Whether a form has an empty value of a text that may be empty; a new product has no earlier one to
  /// keep.
  private func isEmptyText(_ field: ProductField, in request: RequestFields) -> Bool {
    guard case .text(let limit) = field.kind, limit.allows("") else { return false }
    return request.hasEmptyValue(named: names(of: field))
  }

  /// Reads an edit of a product; one without changes becomes `.verify`.
  /// - Throws: `.invalid` with all unreadable fields.
  func edit(
    of id: Product.ID, by author: Author, expecting expected: ProductVersion? = nil,
    from request: RequestFields
  ) throws(RequestProblem) -> MarketOperation {
    var reader = FieldReader(request, fields: self)
    var update = ProductUpdate(
      id: id, patch: ProductPatch(), password: Password(""), author: author, expected: expected)
    for field in ProductField.allCases {
      switch field {
      case .discount: set(discount: reader.amount(field), into: &update.patch)
      case .pictures: update.patch.pictures = pictures(from: &reader)
      case .password: update.password = reader.password()
      default: update.patch.set(field, from: reader.values(of: field))
      }
    }
    try reader.finish()
    if update.patch.isEmpty { return .verify(id, update.password, author) }
    return .update(update)
  }

  /// Reads only the password.
  /// - Throws: `.invalid` where it is missing or unreadable.
  func password(from request: RequestFields) throws(RequestProblem) -> Password {
    var reader = FieldReader(request, fields: self)
    let password = reader.password()
    try reader.finish()
    return password
  }
}

// MARK: Answers

extension ProductField {
  /// Fields without which a row is not a product.
  private static let answered: Set<ProductField> = [.name, .stock]

  var mustBeAnswered: Bool { Self.answered.contains(self) }
}

extension WireFields {
  /// Reads fields of a row by their kinds, with the price's related fields; not the pictures.
  /// - Throws: `.missing` or `.unreadable` for a name or a stock.
  func read(
    _ fields: [ProductField], in row: JSONValue, into detail: inout ProductDetail
  ) throws(ResponseDecodingError) {
    for field in fields {
      guard let name = name(of: field) else { continue }
      switch field {
      case .price: detail.product.pricing = pricing(in: row)
      case .currency, .discount, .pictures, .password: break
      default:
        let found = row[name.key] ?? name.other.flatMap { row[$0] }
        if let value = found?.value(field.kind) {
          detail.set(field, from: [field: value])
        } else if field.mustBeAnswered {
          let key = name.key.description
          throw found == nil ? .missing(key) : .unreadable(key)
        }
      }
    }
  }
}

extension JSONValue {
  /// The value of a field in a response, a text cut to its limit; nil where it is unreadable.
  fileprivate func value(_ kind: FieldKind) -> FieldValue? {
    switch kind {
    case .line(let limit), .text(let limit): text(upTo: limit).map { .text($0) }
    case .amount: number?.hundredths.map { .amount($0) }
    case .number(let range): number?.integer.flatMap { range.contains($0) ? .number($0) : nil }
    case .choice(let names): string.flatMap { names.contains($0) ? .code($0) : nil }
    case .flag: bool == true ? .yes : .absent
    case .currency, .pictures, .password: nil
    }
  }
}
