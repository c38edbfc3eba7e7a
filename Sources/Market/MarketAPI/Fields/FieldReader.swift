import MarketModel
import TextCoding

/// Reads the fields of a product and collects their errors.
struct FieldReader {
  let request: RequestFields
  private let fields: any WireFields
  private var errors: [FieldError] = []

  init(_ request: RequestFields, fields: any WireFields) {
    self.request = request
    self.fields = fields
  }

  /// The value of a field by its kind; empty where it is absent, or unreadable and reported.
  mutating func values(of field: ProductField) -> FieldValues {
    let value: FieldValue? =
      switch field.kind {
      case .line, .text: text(field).map { .text($0) }
      case .amount: amount(field).map { .amount($0) }
      case .number: number(field) { $0.integer }.map { .number($0) }
      case .currency: currency().map { .code($0.rawValue) }
      case .choice(let names): choice(field, of: names)
      case .flag: flag(field)
      case .pictures, .password: nil
      }
    return value.map { [field: $0] } ?? [:]
  }

  /// A text; nil where it is absent.
  mutating func text(_ field: ProductField) -> String? {
    switch request.value(named: fields.names(of: field)) {
    case .absent: return nil
    case .text(let text): return text
    case .flag(let flag) where field.kind == .flag: return String(flag)
    // Clears an optional field.
    case .null: return field.standard == .absent ? "" : nil
    case .flag, .wrongType:
      report(field, .unreadable)
      return nil
    }
  }

  /// An amount in hundredths; nil where it is absent or an empty text.
  mutating func amount(_ field: ProductField) -> Int64? {
    number(field) { $0.hundredths }
  }

  /// A choice; an empty word clears it.
  private mutating func choice(_ field: ProductField, of names: [String]) -> FieldValue? {
    guard let word = text(field)?.trimmed else { return nil }
    if word.isEmpty { return field.standard }
    if !names.contains(word) { report(field, .unreadable) }
    return .code(word)
  }

  /// A flag, which a form sends as a word.
  private mutating func flag(_ field: ProductField) -> FieldValue? {
    guard let word = text(field)?.trimmed else { return nil }
    switch word.lowercased() {
    case "", "false", "0", "no": return .absent
    case "true", "1", "yes": return .yes
    default:
      report(field, .unreadable)
      return nil
    }
  }

  /// An uppercase currency code; nil where it is absent or an empty text.
  private mutating func currency() -> Currency? {
    guard let text = text(.currency)?.trimmed, !text.isEmpty else { return nil }
    guard TextLimit.currency.allows(text) else {
      report(.currency, .unsupportedCurrency(StorageRules.currencies))
      return nil
    }
    return Currency(rawValue: text.uppercased())
  }

  mutating func password() -> Password {
    let text = required(text(.password), .password)
    return Password(text ?? "")
  }

  /// All picture files; unreadable ones are reported.
  mutating func pictures() -> [[UInt8]] {
    if request.files.contains(nil) { report(.pictures, .unreadable) }
    return request.files.compactMap { $0 }
  }

  /// Returns all picture files; reports the field as missing where there are none.
  mutating func requiredPictures() -> [[UInt8]] {
    let pictures = pictures()
    if pictures.isEmpty { report(.pictures, .missing) }
    return pictures
  }

  /// Reports a missing field.
  mutating func required<Value>(_ value: Value?, _ field: ProductField) -> Value? {
    if value == nil { report(field, .missing) }
    return value
  }

  /// Adds an error, unless the field has one already.
  mutating func report(_ field: ProductField, _ problem: FieldError.Problem) {
    guard !errors.contains(where: { $0.field == field }) else { return }
    errors.append(FieldError(field, problem))
  }

  /// Ends reading.
  /// - Throws: `.invalid` with the reported errors, in the order of reading.
  func finish() throws(RequestProblem) {
    guard errors.isEmpty else { throw .invalid(errors) }
  }

  private mutating func number(
    _ field: ProductField, _ convert: (DecimalNumber) -> Int64?
  ) -> Int64? {
    guard let text = text(field)?.trimmed, !text.isEmpty else { return nil }
    guard let number = DecimalNumber(text).flatMap(convert) else {
      report(field, .unreadable)
      return nil
    }
    return number
  }
}

/// Fields of a product in a request: in a JSON object, in parts of a form, or both.
struct RequestFields: Sendable {
  /// Untyped value of a field.
  enum Value: Hashable {
    case absent
    case text(String)
    case flag(Bool)
    case null
    /// A list or an object.
    case wrongType
  }

  private var object: JSONValue?
  /// Parts of a form that are not empty: an empty value of a form is not sent.
  private var parts: [MultipartPart] = []
  private var emptyParts: Set<String> = []
  /// Picture files in their order; nil for an unreadable one.
  private(set) var files: [[UInt8]?] = []

  /// Reads a body by its content, regardless of its content type: a JSON object, else a form.
  ///
  /// `objectPart` is the part of a form that contains a JSON object; nil where each field is a part, and
  /// JSON has pictures in Base64.
  ///
  /// - Throws: `.malformed` for a body that is neither, or text that is not UTF-8.
  init(
    of request: HTTPRequest, fields: any WireFields, objectPart: String? = nil
  ) throws(RequestProblem) {
    let pictureNames = fields.names(of: .pictures)
    if request.body.withoutMark.first(where: { !$0.isASCIIWhitespace }) == 0x7B {
      let object = try Self.object(request.body, part: "body")
      self.object = object
      if objectPart == nil {
        files = pictureNames.lazy.compactMap { object[$0] }.first.map(Self.files) ?? []
      }
      return
    }
    let sent: [MultipartPart]
    do {
      sent = try MultipartParser.parts(
        of: request.body, contentType: request.headers[HeaderName.contentType])
    } catch {
      throw .malformed(part: "body", reason: "neither a JSON object nor a form: \(error.reason)")
    }
    // Browsers send an empty part without a file name where no file was chosen.
    let pictures = sent.filter { part in
      pictureNames.contains { $0.description == part.name }
        && !(part.bytes.isEmpty && !part.isNamedFile)
    }
    // Some clients send a text of the same name beside the files.
    let realFiles = pictures.filter { !$0.isPlainText }
    files = (realFiles.isEmpty ? pictures : realFiles).map(\.bytes)
    parts = sent.filter { !$0.bytes.isEmpty }
    emptyParts = Set(sent.lazy.filter(\.bytes.isEmpty).map(\.name))
    if let objectPart {
      guard let part = parts.first(where: { $0.name == objectPart }) else {
        throw .malformed(part: objectPart, reason: "this part is missing")
      }
      object = try Self.object(part.bytes, part: objectPart)
    } else {
      try checkTexts(of: fields)
    }
  }

  /// The value of the first of the names that exists.
  func value(named names: [StaticString]) -> Value {
    var isNull = false
    for name in names {
      if let object {
        guard let value = object[name] else {
          isNull = isNull || object.isNull(at: name)
          continue
        }
        return value.text.map { .text($0) } ?? value.bool.map { .flag($0) } ?? .wrongType
      }
      if let part = parts.first(where: { $0.name == name.description }) { return .text(part.text) }
    }
    return isNull ? .null : .absent
  }

  /// Throws `.malformed` for a key or a part of a form that is there more than once, which two readers
  /// could read differently; what foreign clients send is read by its first one.
  func checkUnique() throws(RequestProblem) {
    var names = emptyParts
    let part = parts.first { !names.insert($0.name).inserted }?.name
    guard let name = object?.repeatedKey ?? part else { return }
    throw .malformed(part: String(name.prefix(40)), reason: "is there more than once")
  }

  /// Whether a form has an empty value under one of the names.
  func hasEmptyValue(named names: [StaticString]) -> Bool {
    names.contains { emptyParts.contains($0.description) }
  }

  /// Throws `.malformed` for a text part that is not UTF-8.
  private func checkTexts(of fields: any WireFields) throws(RequestProblem) {
    let names = ProductField.allCases.filter { $0 != .pictures }.flatMap(fields.names)
    for part in parts where names.contains(where: { $0.description == part.name }) {
      guard part.bytes.isUTF8 else { throw .notUTF8(part: part.name) }
    }
  }

  /// A value of the JSON object; nil where there is none.
  subscript(key: StaticString) -> JSONValue? { object?[key] }

  private static func object(_ bytes: [UInt8], part: String) throws(RequestProblem) -> JSONValue {
    guard bytes.isUTF8 else { throw .notUTF8(part: part) }
    do {
      let root = try JSONDocument(parsing: bytes).root
      if root.isObject { return root }
    } catch {
      throw .malformed(part: part, reason: error == .tooDeep ? "too deep" : "not valid JSON")
    }
    throw .malformed(part: part, reason: "not a JSON object")
  }

  /// The first v1 clients send pictures in Base64 in a JSON array.
  private static func files(in value: JSONValue) -> [[UInt8]?] {
    value.elements.map { $0.string.flatMap(Base64.decode) }
  }
}

extension MultipartPart {
  fileprivate var isNamedFile: Bool { filename?.isEmpty == false }

  /// Whether the part is a text: no file, not marked as a picture, and without a picture's bytes.
  fileprivate var isPlainText: Bool {
    !isNamedFile && contentType?.lowercased().hasPrefix("text/") != false
      && PictureFormat(sniffing: bytes) == nil
  }
}
