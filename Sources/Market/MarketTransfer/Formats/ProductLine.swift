import MarketAPI
import MarketModel
import TextCoding

/// Coding of a product as one line of JSON.
package enum ProductLine {
  /// The fields that are members of a line; pictures are written separately, under the archive's names.
  private static let fields = ProductField.inArchives.filter { $0.kind != .pictures }

  /// The line of a market's product, with its line feed; `pictures` are the names of its files in the
  /// archive.
  ///
  /// A line beyond `limit` bytes, which only long names and contacts of thousands of askers make, has
  /// them without contacts and with the start of their names.
  static func bytes(
    _ product: ArchivedProduct, of market: MarketID? = nil, pictures: [String],
    upTo limit: Int = LineReader.maxLineLength
  ) -> [UInt8] {
    let bytes = line(product, of: market, pictures: pictures)
    guard bytes.count > limit else { return bytes }
    var product = product
    product.questions = product.questions.map(\.shortened)
    return line(product, of: market, pictures: pictures)
  }

  private static func line(
    _ product: ArchivedProduct, of market: MarketID?, pictures: [String]
  ) -> [UInt8] {
    var json = JSONWriter(capacity: 512 + product.description.utf8.count)
    json.beginObject()
    if let id = product.id { json.member("id", id.rawValue) }
    for field in fields { json.member(field, product[field]) }
    json.member("created", product.created)
    json.member("changed", product.changed)
    json.member("version", product.version)
    if let market { json.member("market", market.text) }
    json.member("seller", product.seller)
    if !product.passwordHash.isEmpty { json.member("passwordHash", product.passwordHash) }
    if !pictures.isEmpty { json.member(.pictures, .pictures(pictures)) }
    json.questions(product.questions)
    json.endObject()
    return json.bytes + [0x0A]
  }

  /// The line of a product as a list shows it, with the member names of an archive.
  ///
  /// The values are raw, but control characters are escaped for terminals. An unreadable price, an
  /// unknown description and a missing address are left out.
  package static func bytes(
    _ product: Product, description: String?, at address: ProductAddress? = nil
  ) -> [UInt8] {
    bytes(
      ProductDetail(product: product, description: description ?? ""),
      fields.filter { $0.isListed || $0 == .description && description != nil },
      at: address)
  }

  /// The line of a detail, with all its fields, and the addresses of its pictures.
  package static func bytes(_ detail: ProductDetail, at address: ProductAddress? = nil) -> [UInt8] {
    bytes(detail, fields, at: address)
  }

  /// Web addresses of a detail's pictures; empty for those in a market file.
  package static func pictureAddresses(of detail: ProductDetail) -> [String] {
    detail.pictures.map(\.original).filter { address in
      ["http://", "https://"].contains { address.lowercased().hasPrefix($0) }
    }
  }

  private static func bytes(
    _ detail: ProductDetail, _ fields: [ProductField], at address: ProductAddress?
  ) -> [UInt8] {
    let product = detail.product
    let counts = (Int64(detail.questionCount), Int64(detail.unansweredCount))
    var json = JSONWriter(capacity: 512 + detail.description.utf8.count)
    json.beginObject()
    json.member("id", product.id.rawValue)
    if let address { json.member("url", address.text) }
    for field in fields { json.member(field, detail[field]) }
    json.member("created", product.created.seconds)
    json.member("changed", product.changed.seconds)
    if counts.0 > 0 { json.member("questionCount", counts.0) }
    if counts.1 > 0 { json.member("unansweredCount", counts.1) }
    json.member(
      "seller",
      ArchivedSeller(
        id: product.seller.id, name: product.seller.name, contact: product.seller.contact))
    if let price = product.pricing.price {
      json.member("priceToPay", hundredths: price.toPay.hundredths)
    }
    // Not the member of archives' file names, which an import reads.
    let addresses = pictureAddresses(of: detail)
    if !addresses.isEmpty {
      json.key("pictureAddresses")
      json.strings(addresses)
    }
    json.endObject()
    return escapingControls(json.bytes) + [0x0A]
  }

  /// The line of a question, in the form of the API.
  package static func bytes(_ question: Question) -> [UInt8] {
    escapingControls(QuestionCoding.write(question)) + [0x0A]
  }

  /// Escapes U+0080 to U+009F, which JSON allows in strings and some terminals execute.
  private static func escapingControls(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for byte in bytes {
      if (0x80...0x9F).contains(byte), result.last == 0xC2 {
        result.removeLast()
        result += Array("\\u00".utf8) + Hexadecimal.text(of: [byte]).utf8
      } else {
        result.append(byte)
      }
    }
    return result
  }
}

// MARK: Meaning

extension ProductLine {
  /// All fields of a line by name, so that a new field does not change the order of the others.
  private static let fieldsByName = ProductField.inArchives
    .sorted { $0.rawValue < $1.rawValue }

  /// Canonical form of a row, equal for all spellings of its content.
  ///
  /// Default values are left out, and line ends are line feeds.
  static func meaning(of read: SourceProduct) -> [UInt8] {
    let product = read.product
    var json = JSONWriter(capacity: 512 + product.description.utf8.count)
    json.beginObject()
    for field in fieldsByName {
      let value = read.changes == nil ? product[field] : read.changes?[field]
      guard let value, read.changes != nil || value != field.standard else { continue }
      json.member(field, value.text.map { .text($0.withLineFeeds) } ?? value)
    }
    if let id = product.id { json.member("id", id.rawValue) }
    if let market = read.market { json.member("market", market) }
    if let created = read.created { json.member("created", created) }
    if let changed = read.changed { json.member("changed", changed) }
    if product.version != 1 { json.member("version", product.version) }
    json.member("seller", product.seller)
    if !product.passwordHash.isEmpty { json.member("passwordHash", product.passwordHash) }
    json.endObject()
    return json.bytes
  }
}

extension String {
  /// The text with each line end as a line feed.
  fileprivate var withLineFeeds: String {
    guard utf8.contains(0x0D) else { return self }
    return String(map { $0 == "\r\n" || $0 == "\r" ? "\n" : $0 })
  }
}

// MARK: Reading

extension ProductLine {
  /// Reads a product, with the archive's names of its pictures; only a name and a price are required.
  ///
  /// A product without dates gets `now`, in seconds since 1970. It is one of the market's own where it
  /// names `market`.
  ///
  /// - Throws: the first error: `.notUTF8`, `.noObject`, `.tooManyValues`, `.tooManyQuestions`, `.unreadable`, `.noVersion` for the market's own
  ///   product without one, `.field`, `.pictureMissing`.
  static func product(
    _ bytes: [UInt8], now: Int64, market: MarketID? = nil
  ) throws(ImportProblem.Reason) -> SourceProduct {
    guard bytes.isUTF8 else { throw .notUTF8(nil) }
    let root = try root(bytes)
    let created = try date(root["created"], "created")
    let changed = try date(root["changed"], "changed")
    let id = try integer(root["id"], "id").map(Product.ID.init(rawValue:))
    let seller = try seller(root["seller"])
    let isOwn = id != nil && market != nil && root["market"]?.string == market?.text
    let version = try integer(root["version"], "version")
    if isOwn, version == nil { throw .noVersion }
    if isOwn, root["currency"] == nil { throw .field(FieldError(.currency, .missing)) }
    var named: FieldValues = [:]
    var values = FieldValues(minimumCapacity: ProductField.allCases.count)
    for field in ProductField.inArchives {
      let found = root[named: field.rawValue]
      var taken = try value(found, of: field)
      if root["market"] == nil, case .line = field.kind, let text = taken.text {
        taken = .text(TableCell.line(text))
      }
      values[field] = taken
      if isOwn, found != nil { named[field] = taken }
    }
    var product = try ArchiveRules.product(
      of: values, created: created ?? now, changed: changed ?? created ?? now)
    (product.id, product.seller) = (id, seller)
    product.version = max(1, version ?? 1)
    product.passwordHash = try text(root["passwordHash"], "passwordHash") ?? ""
    try ArchiveRules.check(product, ofMarket: root["market"] != nil)
    product.questions = try questions(root["questions"], from: created, until: now)
    var read = SourceProduct(product)
    read.changes = isOwn ? named : nil
    (read.market, read.created, read.changed) = (root["market"]?.string, created, changed)
    return read
  }

  private static func root(_ bytes: [UInt8]) throws(ImportProblem.Reason) -> JSONValue {
    do throws(JSONError) {
      let root = try JSONDocument(parsing: bytes, maximumDepth: 4).root
      if root.isObject { return root }
    } catch {
      if error == .tooManyValues { throw .tooManyValues(JSONDocument.maxValues) }
    }
    throw .noObject
  }

  private static func value(
    _ value: JSONValue?, of field: ProductField
  ) throws(ImportProblem.Reason) -> FieldValue {
    guard let value else { return try ArchiveRules.standard(of: field) }
    let read: FieldValue? =
      switch field.kind {
      case .line, .text: value.string.map { .text($0) }
      case .currency, .choice: value.string.map { .code($0) }
      case .flag: value.bool.map { FieldValue(flag: $0) }
      case .amount: value.number?.hundredths.map { .amount($0) }
      case .number: value.number?.integer.map { .number($0) }
      case .pictures: names(value).map { .pictures($0) }
      case .password: nil
      }
    guard let read else {
      throw .unreadable(field.rawValue, holding: told(value), .field(field))
    }
    return read
  }

  /// The value as a message shows it.
  private static func told(_ value: JSONValue) -> String {
    value.spelling ?? (value.isArray ? "[…]" : "{…}")
  }

  private static func names(_ value: JSONValue) -> [String]? {
    let names = value.elements.map(\.string)
    return value.isArray && !names.contains(nil) ? names.compactMap { $0 } : nil
  }

  private static func seller(_ value: JSONValue?) throws(ImportProblem.Reason) -> ArchivedSeller {
    guard let value else { return .guest }
    if let name = value.string { return ArchivedSeller(id: nil, name: name) }
    guard value.isObject, let name = value["name"]?.string else {
      throw .unreadable("seller", holding: told(value), .seller)
    }
    let id = try integer(value["id"], "seller").map(Seller.ID.init(rawValue:))
    let contact = value["contact"]?.string.flatMap(SellerContact.init)
    guard let digits = value["identifierHash"] else {
      return ArchivedSeller(id: id, name: name, contact: contact)
    }
    guard let hash = digits.string.flatMap(Hexadecimal.bytes(of:)), hash.count == 32 else {
      throw .unreadable("seller", holding: told(digits), .seller)
    }
    return ArchivedSeller(id: id, name: name, identifierHash: hash, contact: contact)
  }

  /// Questions in the form of the API, each with its asker, asked between two times in seconds since
  /// 1970; nil is any start.
  private static func questions(
    _ value: JSONValue?, from start: Int64?, until end: Int64
  ) throws(ImportProblem.Reason) -> [ArchivedQuestion] {
    guard let value else { return [] }
    guard value.isArray else { throw .unreadable("questions", holding: told(value), .question) }
    // The number first: reading the values of too many takes long.
    guard value.elements.reduce(0, { count, _ in count + 1 }) <= QuestionRules.perProduct else {
      throw .tooManyQuestions
    }
    var questions: [ArchivedQuestion] = []
    var bytes = 0
    for element in value.elements {
      let name = "questions[\(questions.count)]"
      let asker = try seller(element["asker"])
      guard let form = element["question"], StorageRules.sellerName(asker.name).isEmpty else {
        throw .unreadable(name, holding: told(element), .question)
      }
      let question = try question(form, name, (start ?? .min)...max(start ?? .min, end))
      bytes += question.byteCount
      guard bytes <= QuestionRules.bytesPerProduct else { throw .tooManyQuestions }
      questions.append(ArchivedQuestion(question, by: asker))
    }
    return questions
  }

  /// Reads a question that a market may store; the price at the time of its offer is unknown.
  private static func question(
    _ form: JSONValue, _ name: String, _ times: ClosedRange<Int64>
  ) throws(ImportProblem.Reason) -> Question {
    guard let question = QuestionCoding.read(form), form["text"]?.string == question.text,
      form["answer"]?.string == question.answer?.text,
      form["answer"] != nil || form["answered_at"] == nil
    else { throw .unreadable(name, holding: told(form), .question) }
    if let offer = form["offer"],
      !question.hasSoundOffer || offer.string != nil || form["currency"].map(\.string) == .some(nil)
    {
      throw .unreadable(name + ".offer", holding: told(offer), .offer)
    }
    let asked = NewQuestion(text: question.text)
    let answered = question.answer.map { QuestionRules.problems(of: NewAnswer(text: $0.text)) }
    guard QuestionRules.problems(of: asked).isEmpty, answered?.isEmpty != false else {
      throw .unreadable(name, holding: told(form), .question)
    }
    guard times.contains(question.asked.seconds) else {
      throw .unreadable(
        name + ".asked_at", holding: form["asked_at"].map(told) ?? "", .questionDate)
    }
    if let given = question.answer?.given.seconds,
      !(question.asked.seconds...times.upperBound).contains(given)
    {
      throw .unreadable(
        name + ".answered_at", holding: form["answered_at"].map(told) ?? "", .questionDate)
    }
    return question
  }

  private static func text(
    _ value: JSONValue?, _ name: String
  ) throws(ImportProblem.Reason) -> String? {
    guard let value else { return nil }
    guard let text = value.string else { throw .unreadable(name, holding: told(value), .text) }
    return text
  }

  private static func integer(
    _ value: JSONValue?, _ name: String
  ) throws(ImportProblem.Reason) -> Int64? {
    guard let value else { return nil }
    guard let number = value.number?.integer else {
      throw .unreadable(name, holding: told(value), .number)
    }
    return number
  }

  /// Reads seconds since 1970, or a date.
  private static func date(
    _ value: JSONValue?, _ name: String
  ) throws(ImportProblem.Reason) -> Int64? {
    guard let value else { return nil }
    guard let text = value.text, let seconds = ArchiveRules.seconds(text) else {
      throw .unreadable(name, holding: told(value), .date)
    }
    return seconds
  }
}

extension JSONWriter {
  /// Writes a field; one that is nil or absent is left out.
  fileprivate mutating func member(_ field: ProductField, _ value: FieldValue?) {
    guard let value, value != .absent else { return }
    key(named: field.rawValue)
    self.value(value)
  }

  /// Writes the seller of a product; leaves out *guest*.
  fileprivate mutating func member(_ name: StaticString, _ seller: ArchivedSeller) {
    guard seller != .guest else { return }
    key(name)
    beginObject()
    if let id = seller.id { member("id", id.rawValue) }
    member("name", seller.name)
    if let hash = seller.identifierHash { member("identifierHash", Hexadecimal.text(of: hash)) }
    if let contact = seller.contact { member("contact", contact.text) }
    endObject()
  }
}

extension ArchivedQuestion {
  /// Maximum scalars of a name in a shortened question.
  private static let nameScalars = 64

  /// The question with the start of its asker's name and without the contact.
  fileprivate var shortened: ArchivedQuestion {
    var asker = asker
    asker.name = String(
      String.UnicodeScalarView(asker.name.unicodeScalars.prefix(Self.nameScalars)))
    asker.contact = nil
    var question = question
    question.asker = question.asker.map { _ in asker.name }
    return ArchivedQuestion(question, by: asker)
  }
}

extension JSONWriter {
  fileprivate mutating func questions(_ questions: [ArchivedQuestion]) {
    guard !questions.isEmpty else { return }
    key("questions")
    beginArray()
    for archived in questions {
      beginObject()
      key("question")
      raw(QuestionCoding.write(archived.question))
      member("asker", archived.asker)
      endObject()
    }
    endArray()
  }
}

extension Question {
  /// Whether its offer is above 0 in a currency of markets, with no more decimals than that has.
  fileprivate var hasSoundOffer: Bool {
    guard let offer, StorageRules.currencies.contains(offer.currency) else { return false }
    let asked = NewQuestion(text: "?", offerHundredths: offer.hundredths)
    return QuestionRules.problems(of: asked, currency: offer.currency).isEmpty
  }
}

/// Reader of products in lines of JSON; empty lines are skipped.
struct LineSource: ProductSource {
  private var lines: LineReader
  private let now: Int64
  private let market: MarketID?

  /// Lines that name `market` are its own products.
  ///
  /// - Throws: `.encoding` for UTF-16 with a byte order mark; `.file` where reading fails.
  init(_ file: InputFile, now: Int64, market: MarketID? = nil) throws(TransferError) {
    for mark in [[0xFF, 0xFE], [0xFE, 0xFF]] as [[UInt8]] where try file.peek().starts(with: mark) {
      throw .encoding("UTF-16")
    }
    lines = LineReader(file)
    (self.now, self.market) = (now, market)
  }

  mutating func next() throws(TransferError) -> SourceRecord? {
    while let line = try lines.next() {
      var bytes = line.bytes
      if bytes.last == 0x0D { bytes.removeLast() }
      if bytes.isEmpty, !line.isTooLong { continue }
      return SourceRecord(
        lines: line.number...line.number, byteCount: bytes.count,
        product: product(bytes, line.isTooLong))
    }
    return nil
  }

  private func product(
    _ bytes: [UInt8], _ isTooLong: Bool
  ) -> Result<SourceProduct, ImportProblem.Reason> {
    guard !isTooLong else { return .failure(.tooLong(LineReader.maxLineLength)) }
    return Result { () throws(ImportProblem.Reason) in
      try ProductLine.product(bytes, now: now, market: market)
    }
  }
}
