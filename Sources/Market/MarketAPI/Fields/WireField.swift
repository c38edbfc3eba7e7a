import MarketModel

/// Description of how a dialect carries one field of a product: what the field is called, and how
/// requests and answers hold it.
struct WireField: Sendable {
  let field: ProductField
  /// The names under which requests are read; the first stands in errors.
  let names: [StaticString]
  let registration: RequestCoding<ProductRegistration>
  let update: RequestCoding<ProductUpdate>
  let answer: ResponseCoding
}

/// Coding of a field in requests.
struct RequestCoding<Carrier>: Sendable {
  /// Writes the field where the carrier names it; throws for what the dialect cannot say.
  let write: @Sendable (Carrier, inout RequestWriter) throws(RepositoryError) -> Void
  /// Reads the field; what is wrong with it is reported to the reader.
  let read: @Sendable (inout FieldReader, inout Carrier) -> Void

  init(
    write: @escaping @Sendable (Carrier, inout RequestWriter) throws(RepositoryError) -> Void,
    read: @escaping @Sendable (inout FieldReader, inout Carrier) -> Void
  ) {
    self.write = write
    self.read = read
  }
}

/// Coding of a field in answers; nil where they do not hold it.
struct ResponseCoding: Sendable {
  typealias Writer = @Sendable (ProductDetail, ResponseOptions, inout JSONWriter) -> Void
  typealias Reader =
    @Sendable (JSONValue, inout ProductDetail) throws(ResponseDecodingError) -> Void

  /// Written in lists and details.
  var row: Writer?
  /// Written in lists alone, after everything else.
  var list: Writer?
  /// Written in details alone, after everything else.
  var detail: Writer?
  /// Read in lists and details.
  var read: Reader?
  /// Read in details alone, after the rest.
  var readDetail: Reader?
}

/// Form of an answer: what its fields depend on beside the product.
struct ResponseOptions {
  let pictures: PictureAddresses
  /// Spelling of days.
  var dates = WireDate.Form.seconds
  /// Time zone of days.
  var timeZone = TimeZone.utc
}

/// All fields as a dialect carries them: requests, answers and errors loop over this one table.
final class WireFields: Sendable {
  /// In the order in which registrations, and edits, hold them.
  let inRegistrations, inUpdates: [WireField]
  /// In the order of the form, in which errors are told.
  let inForm: [WireField]
  /// The parts of `ResponseCoding`, each in the order of answers.
  let rows, lists, details: [ResponseCoding.Writer]
  let readers, detailReaders: [ResponseCoding.Reader]
  /// Fields that the dialect has no words for.
  let notCarried: Set<ProductField>

  /// - Parameters:
  ///   - fields: each field once, in the order of edits.
  ///   - first: the fields that answers begin with; the others follow in the order of edits.
  ///   - firstRegistered: the same for registrations.
  ///   - notCarried: the fields that the dialect has no words for.
  init(
    _ fields: [WireField], answersBeginWith first: [ProductField],
    registrationsBeginWith firstRegistered: [ProductField] = [],
    notCarried: Set<ProductField> = []
  ) {
    func sorted(beginningWith first: [ProductField]) -> [WireField] {
      first.compactMap { field in fields.first { $0.field == field } }
        + fields.filter { !first.contains($0.field) }
    }
    inUpdates = fields
    inRegistrations = sorted(beginningWith: firstRegistered)
    inForm = sorted(beginningWith: ProductField.allCases)
    let answers = sorted(beginningWith: first).map(\.answer)
    rows = answers.compactMap(\.row)
    lists = answers.compactMap(\.list)
    details = answers.compactMap(\.detail)
    readers = answers.compactMap(\.read)
    detailReaders = answers.compactMap(\.readDetail)
    self.notCarried = notCarried
  }

  /// The names under which a field is read.
  func names(of field: ProductField) -> [StaticString] {
    inForm.first { $0.field == field }?.names ?? []
  }

  /// The name of a field in errors.
  func name(of field: ProductField) -> String {
    names(of: field).first?.description ?? field.rawValue
  }

  /// The field of a name; nil for a name that is no field's.
  func field(named name: String) -> ProductField? {
    inForm.first { $0.names.contains { $0.description == name } }?.field
  }

  /// The field that a server's sentence speaks of: the first whose name occurs in it.
  func field(mentionedIn message: String) -> ProductField? {
    let words = message.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    return words.lazy.compactMap { self.field(named: String($0)) }.first
  }
}

// MARK: Requests, looped over

extension WireFields {
  func write(
    _ registration: ProductRegistration, in form: RequestWriter.Form
  ) throws(RepositoryError) -> RequestWriter {
    var writer = RequestWriter(form)
    for field in inRegistrations { try field.registration.write(registration, &writer) }
    return writer
  }

  func write(
    _ update: ProductUpdate, in form: RequestWriter.Form
  ) throws(RepositoryError) -> RequestWriter {
    var writer = RequestWriter(form)
    for field in inUpdates { try field.update.write(update, &writer) }
    return writer
  }

  /// Reads a registration; throws everything that is wrong with it.
  func registration(from request: RequestFields) throws(RequestProblem) -> ProductRegistration {
    var reader = FieldReader(request, fields: self)
    var registration = ProductRegistration(
      name: "", description: "", price: Money(hundredths: 0, currency: .krw), stock: 0,
      pictures: [], password: Password(""))
    for field in inForm { field.registration.read(&reader, &registration) }
    try reader.finish()
    return registration
  }

  /// Reads an edit of a product; one that names nothing only checks the password.
  func edit(
    of id: Product.ID, by author: Author, expecting expected: ProductVersion? = nil,
    from request: RequestFields
  ) throws(RequestProblem) -> MarketOperation {
    var reader = FieldReader(request, fields: self)
    var update = ProductUpdate(
      id: id, patch: ProductPatch(), password: Password(""), author: author, expected: expected)
    for field in inForm { field.update.read(&reader, &update) }
    try reader.finish()
    if update.patch.isEmpty { return .verify(id, update.password, author) }
    return .update(update)
  }

  /// Reads the password alone.
  func password(from request: RequestFields) throws(RequestProblem) -> Password {
    var reader = FieldReader(request, fields: self)
    let password = reader.password()
    try reader.finish()
    return password
  }
}

// MARK: Fields that are the same in all dialects but for their names

extension WireField {
  /// Messages in which a field must not be missing.
  struct RequiredFields: OptionSet {
    let rawValue: Int
    static let registration = RequiredFields(rawValue: 1)
    static let answer = RequiredFields(rawValue: 2)
  }

  /// A field that all carriers hold in a property of one type: what most fields are.
  ///
  /// Of its names the first is written, unless requests write another `key`. Where nothing demands the
  /// field it keeps the value that nothing has. One that is not listed stands in details alone, one
  /// that is not read in lists is written there and read in details.
  static func plain<Value: Sendable>(
    _ field: ProductField, _ names: [StaticString], sentAs key: StaticString? = nil,
    _ type: WireType<Value>, demands: RequiredFields = [], isListed: Bool = true,
    isReadInLists: Bool = true,
    registration: any WritableKeyPath<ProductRegistration, Value> & Sendable,
    patch: any WritableKeyPath<ProductPatch, Value?> & Sendable,
    detail: any WritableKeyPath<ProductDetail, Value> & Sendable
  ) -> WireField {
    let key = key ?? names[0]
    let shown = names[0]
    let mustArrive = demands.contains(.registration)
    let mustBeAnswered = demands.contains(.answer)
    let write: ResponseCoding.Writer = { product, _, writer in
      type.answer(product[keyPath: detail], shown, &writer)
    }
    let read: ResponseCoding.Reader = { value, product throws(ResponseDecodingError) in
      let found = names.lazy.compactMap { value[$0] }.first
      if let read = found.flatMap(type.parse) {
        product[keyPath: detail] = read
      } else if mustBeAnswered {
        throw found == nil ? .missing(shown.description) : .unreadable(shown.description)
      }
    }
    return WireField(
      field: field, names: names,
      registration: RequestCoding(
        write: { carrier, writer in
          let value = carrier[keyPath: registration]
          if type.isPresent(value) { type.send(value, key, &writer) }
        },
        read: { reader, carrier in
          let value = type.receive(&reader, field)
          if let value { carrier[keyPath: registration] = value }
          if value == nil, mustArrive { reader.report(field, .missing) }
        }),
      update: RequestCoding(
        write: { update, writer in
          if let value = update.patch[keyPath: patch] { type.send(value, key, &writer) }
        },
        read: { reader, update in
          if let value = type.receive(&reader, field) { update.patch[keyPath: patch] = value }
        }),
      answer: ResponseCoding(
        row: isListed ? write : nil, detail: isListed ? nil : write,
        read: isListed && isReadInLists ? read : nil,
        readDetail: isListed && isReadInLists ? nil : read))
  }

  /// The full price; how answers hold it, and currency and discount with it, is the dialect's own.
  static func price(
    _ row: @escaping ResponseCoding.Writer,
    reading read: @escaping @Sendable (JSONValue) -> Pricing
  ) -> WireField {
    WireField(
      field: .price, names: ["price"],
      registration: RequestCoding(
        write: { carrier, writer throws(RepositoryError) in
          try writer.amount(.price, "price", carrier.price.hundredths)
        },
        read: { reader, carrier in
          let hundredths = reader.required(reader.amount(.price), .price)
          carrier.price.hundredths = hundredths ?? 0
        }),
      update: RequestCoding(
        write: { update, writer throws(RepositoryError) in
          guard let hundredths = update.patch.priceHundredths else { return }
          try writer.amount(.price, "price", hundredths)
        },
        read: { $1.patch.priceHundredths = $0.amount(.price) }),
      answer: ResponseCoding(row: row, read: { $1.product.pricing = read($0) }))
  }

  /// The currency, which answers hold beside the price and are read with it.
  static let currency = WireField(
    field: .currency, names: ["currency"],
    registration: RequestCoding(
      write: { $1.text("currency", $0.price.currency.rawValue) },
      read: { reader, carrier in
        let currency = reader.required(reader.currency(), .currency)
        carrier.price.currency = currency ?? .krw
      }),
    update: RequestCoding(
      write: { update, writer in
        if let currency = update.patch.currency { writer.text("currency", currency.rawValue) }
      },
      read: { $1.patch.currency = $0.currency() }),
    answer: ResponseCoding(row: { detail, _, writer in
      let currency = detail.product.pricing.price?.currency ?? .krw
      writer.member("currency", currency.rawValue)
    }))

  /// The password, which no answer holds.
  static func password(_ name: StaticString) -> WireField {
    WireField(
      field: .password, names: [name],
      registration: RequestCoding(
        write: { $1.password(name, $0.password) }, read: { $1.password = $0.password() }),
      update: RequestCoding(
        write: { $1.password(name, $0.password) }, read: { $1.password = $0.password() }),
      answer: ResponseCoding())
  }
}

/// Spelling of a property's values on the wire.
struct WireType<Value: Sendable>: Sendable {
  /// Whether a new product says anything by a value.
  var isPresent: @Sendable (Value) -> Bool = { _ in true }
  /// Writes a value into a request.
  let send: @Sendable (Value, StaticString, inout RequestWriter) -> Void
  /// Reads a value from a request; nil where it is absent, or cannot be read and was reported.
  let receive: @Sendable (inout FieldReader, ProductField) -> Value?
  /// Writes a value into an answer.
  let answer: @Sendable (Value, StaticString, inout JSONWriter) -> Void
  /// Reads a value from an answer; nil where it cannot be read.
  let parse: @Sendable (JSONValue) -> Value?

  /// The same for a property that may be nil: an empty text in edits, which take it back by that, and
  /// written nowhere else.
  var optional: WireType<Value?> {
    WireType<Value?>(
      isPresent: { $0 != nil },
      send: { value, key, writer in
        if let value { send(value, key, &writer) } else { writer.text(key, "") }
      },
      receive: { reader, field in
        guard let text = reader.text(field) else { return nil }
        return text.trimmed.isEmpty ? .some(nil) : receive(&reader, field).map { .some($0) }
      },
      answer: { if let value = $0 { answer(value, $1, &$2) } },
      parse: { json in parse(json).map { .some($0) } })
  }
}

extension WireType<String> {
  /// A text; of what a server answers as much as the limit allows.
  static func text(_ limit: TextLimit) -> WireType {
    WireType(
      send: { $2.text($1, $0) }, receive: { $0.text($1) }, answer: { $2.member($1, $0) },
      parse: { $0.text(upTo: limit) })
  }
}

extension WireType<Int64> {
  /// A whole number; one that a server answers beyond the range is unreadable.
  static func integer(_ range: ClosedRange<Int64>) -> WireType {
    WireType(
      send: { $2.integer($1, $0) }, receive: { $0.integer($1) }, answer: { $2.member($1, $0) },
      parse: { $0.number?.integer.flatMap { range.contains($0) ? $0 : nil } })
  }
}

extension WireType where Value: RawRepresentable<String> {
  /// One of a few words.
  static var word: WireType {
    WireType(
      send: { $2.text($1, $0.rawValue) },
      receive: { reader, field in
        guard let text = reader.text(field)?.trimmed, !text.isEmpty else { return nil }
        guard let word = Value(rawValue: text) else {
          reader.report(field, .unreadable)
          return nil
        }
        return word
      },
      answer: { $2.member($1, $0.rawValue) }, parse: { $0.string.flatMap { Value(rawValue: $0) } })
  }
}
