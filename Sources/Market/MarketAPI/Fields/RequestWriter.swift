import MarketModel
import TextCoding

/// Writes the fields of a product into a request: as members of a JSON object with files beside it, or as
/// parts of a form.
struct RequestWriter {
  enum Form {
    case object
    case parts
  }

  private let form: Form
  private var object = JSONWriter()
  private(set) var parts: [MultipartPart] = []
  /// Picture files beside the object.
  private(set) var files: [[UInt8]] = []

  init(_ form: Form) {
    self.form = form
    object.beginObject()
  }

  /// The object with all its members.
  var body: [UInt8] {
    var object = object
    object.endObject()
    return object.bytes
  }

  mutating func text(_ key: StaticString, _ text: String) {
    switch form {
    case .object: object.member(key, text)
    case .parts: parts.append(MultipartPart(name: key.description, text: text))
    }
  }

  mutating func integer(_ key: StaticString, _ number: Int64) {
    switch form {
    case .object: object.member(key, number)
    case .parts: text(key, String(number))
    }
  }

  /// Writes an amount.
  /// - Throws: `.invalid` for a fraction in a form: servers of 2021 read whole numbers.
  mutating func amount(
    _ field: ProductField, _ key: StaticString, _ hundredths: Int64
  ) throws(RepositoryError) {
    switch form {
    case .object: object.member(key, hundredths: hundredths)
    case .parts:
      guard hundredths % 100 == 0 else { throw .invalid([FieldError(field, .notWhole)]) }
      var digits: [UInt8] = []
      digits.appendAmount(hundredths: hundredths)
      parts.append(MultipartPart(name: key.description, bytes: digits))
    }
  }

  mutating func password(_ key: StaticString, _ password: Password) {
    switch form {
    case .object:
      object.key(key)
      object.password(password)
    case .parts:
      parts.append(
        MultipartPart(name: key.description, bytes: password.withBytes { Array($0) }))
    }
  }

  /// Writes the value of a field.
  /// - Throws: what `amount(_:_:_:)` throws.
  mutating func value(
    _ field: ProductField, _ key: StaticString, _ value: FieldValue
  ) throws(RepositoryError) {
    switch value {
    case .text(let text), .code(let text): self.text(key, text)
    case .amount(let hundredths): try amount(field, key, hundredths)
    case .number(let number): integer(key, number)
    case .yes where form == .object:
      object.key(key)
      object.bool(true)
    case .yes: text(key, "true")
    // Clears the field.
    case .absent where form == .object:
      object.key(key)
      object.null()
    // An empty value of a form counts as not sent.
    case .absent: text(key, " ")
    case .pictures: break
    }
  }

  /// Writes picture files beside the object, or as parts of one name.
  mutating func pictures(_ key: StaticString, _ files: [[UInt8]]) {
    switch form {
    case .object: self.files = files
    case .parts: parts += MultipartPart.pictures(files, named: key)
    }
  }

  /// Writes the pictures of an edit: their order into the object, and new files beside it.
  /// - Throws: what `PictureOrder.write(_:to:)` throws.
  mutating func order(of pictures: ProductPatch.Pictures) throws(RepositoryError) {
    try PictureOrder.write(pictures, to: &object)
    files = pictures.newFiles
  }
}
