import MarketAPI
import MarketModel
import MarketStrings
import SafeTextKit
import TextCoding

/// The columns in which products are written as a table.
enum ProductTable {
  /// The fields of a product that are columns, by their names.
  static let fields = ProductField.inArchives.filter { $0.kind != .pictures }

  /// Names of all columns in their order.
  static let columns =
    ["id"] + fields.map(\.rawValue) + ["seller", "created", "changed", "version", "market"]

  /// The byte order mark by which spreadsheets know UTF-8, and the names of the columns.
  static func header(separator: UInt8 = RecordReader.comma) -> [UInt8] {
    ByteOrderMark.bytes + RecordReader.bytes(columns, separator: separator)
  }

  /// The record of a product of a market.
  static func bytes(
    _ product: ArchivedProduct, of market: MarketID? = nil, separator: UInt8 = RecordReader.comma
  ) -> [UInt8] {
    var texts = [product.id.map { String($0.rawValue) } ?? ""]
    for field in fields { texts.append(text(product[field])) }
    texts += [product.seller.name, String(product.created), String(product.changed)]
    texts += [String(product.version), market?.text ?? ""]
    return RecordReader.bytes(texts, separator: separator)
  }

  private static func text(_ value: FieldValue?) -> String {
    switch value {
    case .text(let text), .code(let text): text
    case .amount(let hundredths): amount(hundredths)
    case .number(let number): String(number)
    case .yes: "yes"
    case .pictures, .absent, nil: ""
    }
  }

  /// An amount in main units, with decimals only where there are any.
  fileprivate static func amount(_ hundredths: Int64) -> String {
    String(hundredths: hundredths, decimals: .twoOrNone)
  }
}

/// Columns of a table by the names in its first record: those of exports, or the labels of the form in
/// either language, in any case and with blanks around.
struct TableColumns {
  /// Number of the columns up to the last one that has a name.
  let count: Int
  /// Names of the columns that are no product's; of one without a name its number.
  private(set) var unknown: [String] = []
  private var places: [String: Int] = [:]

  /// Nil where the names are not those of products.
  ///
  /// Throws `.columnTwice` where two columns are the same.
  init?(_ names: [String]) throws(TransferError) {
    let names = names.map(Self.plain)
    count = (names.lastIndex { !$0.isEmpty } ?? -1) + 1
    for (position, name) in names.prefix(count).enumerated() {
      if let column = Self.known[name] {
        guard places.updateValue(position, forKey: column) == nil else {
          throw .columnTwice(column)
        }
      } else {
        unknown.append(name.isEmpty ? String(position + 1) : name)
      }
    }
    guard places["name"] != nil, places["price"] != nil else { return nil }
  }

  /// The place of a column; nil where the table does not have it.
  subscript(name: String) -> Int? { places[name] }

  /// Columns by the names that people give them.
  private static let known: [String: String] = {
    var known = Dictionary(uniqueKeysWithValues: ProductTable.columns.map { ($0, $0) })
    for strings in Language.allCases.map(Strings.init) {
      for field in ProductTable.fields {
        known[plain(strings[field.phrase].string)] = field.rawValue
      }
      known[plain(strings[.sellerNameTitle].string)] = "seller"
    }
    return known
  }()

  private static func plain(_ name: String) -> String {
    let start = name.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    let end = start.lastIndex { !$0.isWhitespace } ?? start.startIndex
    return start.isEmpty ? "" : start[...end].lowercased()
  }
}

/// Products as a table, whose first record names the columns.
struct TableSource: ProductSource {
  private var records: RecordReader
  private let columns: TableColumns
  private let now: Int64
  private let market: MarketID?

  /// Rows that name `market` are those of its own products.
  ///
  /// Throws `.noColumns` where the first record does not name what a product needs.
  init(_ file: InputFile, now: Int64, market: MarketID? = nil) throws(TransferError) {
    records = RecordReader(file)
    (self.now, self.market) = (now, market)
    let columns = try records.header { names throws(TransferError) in try TableColumns(names) }
    guard let columns else { throw .noColumns }
    self.columns = columns
  }

  /// Whether bytes begin as a table of products does.
  static func isTable(_ bytes: [UInt8]) -> Bool {
    (try? TableSource(InputFile(of: bytes), now: 0)) != nil
  }

  var unknownColumns: [String] { columns.unknown }

  mutating func next() throws(TransferError) -> SourceRecord? {
    while let record = try records.next() {
      if isBlank(record) { continue }
      return SourceRecord(
        line: record.line, bytes: record.bytes,
        product: Result { () throws(ImportProblem.Reason) in try product(record) })
    }
    return nil
  }

  func reads(_ bytes: [UInt8]) -> Bool {
    var others = RecordReader(InputFile(of: bytes), separator: records.separator)
    guard let record = try? others.next(), record.bytes == bytes else { return false }
    return (try? product(record)) != nil
  }

  private func isBlank(_ record: RecordReader.Record) -> Bool {
    guard !record.isBlank, let fields = try? record.fields.get() else { return record.isBlank }
    return fields.allSatisfy { $0.allSatisfy(\.isBlank) }
  }

  private func product(
    _ record: RecordReader.Record
  ) throws(ImportProblem.Reason) -> SourceProduct {
    let fields = try record.fields.get()
    guard record.bytes.isUTF8 else { throw .notUTF8 }
    let surplus = fields.dropFirst(columns.count)
    guard fields.count >= columns.count, surplus.allSatisfy({ $0.allSatisfy(\.isBlank) }) else {
      throw .columnCount(fields.count)
    }
    return try TableRow(columns: columns, fields: fields).product(now: now, market: market)
  }
}

/// The fields of one record by the names of their columns; an empty field is as none.
private struct TableRow {
  let columns: TableColumns
  let fields: [ArraySlice<UInt8>]

  /// The product of the row; one without dates was made `now`.
  func product(
    now: Int64, market: MarketID?
  ) throws(ImportProblem.Reason) -> SourceProduct {
    let id = try number("id").map(Product.ID.init(rawValue:))
    let isOwn = id != nil && market != nil && word("market")?.lowercased() == market?.text
    let version = try number("version")
    // What was exported before has no version, and belongs to no market.
    if isOwn, version == nil { throw .noVersion }
    let named = try namedValues(isOwn: isOwn)
    var values = named
    for field in ProductTable.fields where values[field] == nil {
      values[field] = try ArchiveRules.standard(of: field)
    }
    let created = try date("created", isOwn: isOwn)
    let changed = try date("changed", isOwn: isOwn)
    var product = try ArchiveRules.product(
      of: values, created: created ?? now, changed: changed ?? created ?? now)
    product.id = id
    product.version = max(1, version ?? 1)
    if let name = self["seller"], name != Seller.guest.name {
      product.seller = ArchivedSeller(id: nil, name: name)
    }
    try ArchiveRules.check(product)
    var read = SourceProduct(product)
    read.changes = isOwn ? named : nil
    (read.market, read.created, read.changed) = (word("market")?.lowercased(), created, changed)
    return read
  }

  /// The values that the row names.
  ///
  /// In a row of the market's own, a text or a choice that is left empty is taken away, and a currency
  /// has to be named.
  private func namedValues(isOwn: Bool) throws(ImportProblem.Reason) -> FieldValues {
    let currency = currency
    if isOwn, currency == nil { throw .field(FieldError(.currency, .missing)) }
    var values: FieldValues = [:]
    for field in ProductTable.fields {
      let name = field.rawValue
      let value: FieldValue? =
        switch field.kind {
        case .line, .text: self[name].map { .text($0) }
        case .choice: word(name).map { .code($0) }
        case .flag: try flag(name, of: field)
        case .currency: currency.map { .code($0.rawValue) }
        case .amount: try amount(name, of: field, in: currency ?? .krw).map { .amount($0) }
        case .number: try count(name, of: field).map { .number($0) }
        case .pictures, .password: nil
        }
      let mayBeEmpty =
        switch field.kind {
        case .line, .text, .choice, .flag: true
        case .amount: field.isOptional
        case .number, .currency, .pictures, .password: false
        }
      if let value {
        values[field] = value
      } else if isOwn, mayBeEmpty, columns[name] != nil {
        values[field] = field.standard
      }
    }
    return values
  }

  private subscript(name: String) -> String? {
    guard let position = columns[name], !fields[position].isEmpty else { return nil }
    return String(decoding: fields[position], as: UTF8.self)
  }

  /// A field without white space around it.
  private func word(_ name: String) -> String? {
    guard let text = self[name].map({ Substring($0).trimmed }), !text.isEmpty else { return nil }
    return String(text)
  }

  /// A flag, where its column says something.
  private func flag(
    _ name: String, of field: ProductField
  ) throws(ImportProblem.Reason) -> FieldValue? {
    guard let word = word(name)?.lowercased() else { return nil }
    switch word {
    case "yes", "true", "1": return .yes
    case "no", "false", "0": return .absent
    default: throw .field(FieldError(field, .unreadable))
    }
  }

  /// The currency of the row: by its own column, else as one of its amounts names it.
  private var currency: Currency? {
    if let word = word("currency") {
      let amount = try? Amount(reading: "1" + word)
      return amount.flatMap { $0.hundredths == 100 ? $0.currency : nil }
        ?? Currency(rawValue: word.uppercased())
    }
    return ProductTable.fields.lazy.filter { $0.kind == .amount }
      .compactMap { word($0.rawValue).flatMap { try? Amount(reading: $0) }?.currency }.first
  }

  /// An amount; one as exports write it is what it says, also where a person could not mean it.
  private func amount(
    _ name: String, of field: ProductField, in currency: Currency
  ) throws(ImportProblem.Reason) -> Int64? {
    guard let text = word(name) else { return nil }
    if word("market") != nil, let exact = DecimalNumber(text)?.hundredths, exact >= 0,
      text == ProductTable.amount(exact)
    {
      return exact
    }
    return try reading(name, of: field, text) { () throws(AmountError) in
      try Amount(reading: text).hundredths(in: currency)
    }
  }

  private func count(
    _ name: String, of field: ProductField
  ) throws(ImportProblem.Reason) -> Int64? {
    guard let text = word(name) else { return nil }
    return try reading(name, of: field, text) { () throws(AmountError) in
      try Amount.count(reading: text)
    }
  }

  private func reading(
    _ name: String, of field: ProductField, _ text: String,
    _ body: () throws(AmountError) -> Int64
  ) throws(ImportProblem.Reason) -> Int64 {
    do throws(AmountError) {
      return try body()
    } catch {
      switch error {
      case .negative: throw .field(FieldError(field, .negative))
      case .noAmount, .tooLarge: throw .unreadable(name, holding: text, .field(field))
      case .ambiguous, .decimals, .otherCurrency: throw .amount(name, error)
      }
    }
  }

  private func number(_ name: String) throws(ImportProblem.Reason) -> Int64? {
    guard let text = word(name) else { return nil }
    guard let number = DecimalNumber(text)?.integer else {
      throw .unreadable(name, holding: text, .number)
    }
    return number
  }

  /// A date; those of the market's own products stay, whatever a spreadsheet has made of them.
  private func date(_ name: String, isOwn: Bool) throws(ImportProblem.Reason) -> Int64? {
    guard let text = word(name), !isOwn else { return nil }
    guard let seconds = ArchiveRules.seconds(text) else {
      throw .unreadable(name, holding: text, .date)
    }
    return seconds
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0D || self == 0x0A }
}
