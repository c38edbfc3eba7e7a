import MarketAPI
import MarketModel
import MarketStrings
import SafeTextKit
import TextCoding

/// Columns of exported tables.
enum ProductTable {
  /// The product fields that are columns, under their names.
  static let fields = ProductField.inArchives.filter { $0.kind != .pictures }

  /// Names of all columns in order.
  static let columns =
    ["id"] + fields.map(\.rawValue) + ["seller", "created", "changed", "version", "market"]

  /// The byte order mark, by which spreadsheets recognize UTF-8, and the names of the columns.
  static func header(separator: UInt8 = RecordReader.comma) -> [UInt8] {
    ByteOrderMark.bytes + RecordReader.bytes(columns, separator: separator)
  }

  /// The record of a market's product.
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

  /// An amount in main units, with decimals only where they are not zero.
  fileprivate static func amount(_ hundredths: Int64) -> String {
    String(hundredths: hundredths, decimals: .twoOrNone)
  }
}

/// Columns of a table by the names in its first record: those of exports, or the form's labels in either
/// language, in any case and with blanks around.
struct TableColumns {
  /// Number of columns up to the last named one.
  let count: Int
  /// Names of unknown columns; the number of an unnamed one.
  private(set) var unknown: [String] = []
  private var places: [String: Int] = [:]

  /// Nil where the columns of a name and a price are missing.
  ///
  /// - Throws: `.columnTwice` where two columns have the same meaning.
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

  /// The index of a column; nil where the table lacks it.
  subscript(name: String) -> Int? { places[name] }

  /// Columns by all their accepted names.
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

/// Reader of products in a table, whose first record names the columns.
struct TableSource: ProductSource {
  private var records: RecordReader
  private let columns: TableColumns
  private let now: Int64
  private let market: MarketID?

  /// Rows that name `market` are its own products.
  ///
  /// - Throws: `.noColumns` where the first record lacks a name or a price; `.columnTwice`; `.encoding`;
  ///   `.file`.
  init(_ file: InputFile, now: Int64, market: MarketID? = nil) throws(TransferError) {
    records = RecordReader(file)
    (self.now, self.market) = (now, market)
    let columns = try records.header { names throws(TransferError) in try TableColumns(names) }
    guard let columns else { throw .noColumns }
    self.columns = columns
  }

  /// Whether bytes begin with a table's column names.
  static func isTable(_ bytes: [UInt8]) -> Bool {
    (try? TableSource(InputFile(of: bytes), now: 0)) != nil
  }

  var unknownColumns: [String] { columns.unknown }

  mutating func next() throws(TransferError) -> SourceRecord? {
    while let record = try records.next() {
      if isBlank(record) { continue }
      return SourceRecord(
        line: record.line, byteCount: record.bytes.count,
        product: Result { () throws(ImportProblem.Reason) in try product(record) })
    }
    return nil
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

/// Fields of a record by the names of their columns; an empty field counts as absent.
private struct TableRow {
  let columns: TableColumns
  let fields: [ArraySlice<UInt8>]

  /// The product of the row; without dates it gets `now`.
  /// - Throws: the first error: `.unreadable`, `.noVersion` for the market's own product without one,
  ///   `.amount`, `.field`.
  func product(
    now: Int64, market: MarketID?
  ) throws(ImportProblem.Reason) -> SourceProduct {
    let id = try number("id").map(Product.ID.init(rawValue:))
    let isOwn = id != nil && market != nil && word("market")?.lowercased() == market?.text
    let version = try number("version")
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
  /// In a row of the market's own product, an empty text or choice is cleared, and a currency is
  /// required.
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

  /// A field without white space around it; nil where it is empty.
  private func word(_ name: String) -> String? {
    guard let text = self[name].map({ Substring($0).trimmed }), !text.isEmpty else { return nil }
    return String(text)
  }

  /// A flag; nil for an empty field.
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

  /// The currency of the row: that of its own column, else of one of its amounts.
  private var currency: Currency? {
    if let word = word("currency") {
      let amount = try? Amount(reading: "1" + word)
      return amount.flatMap { $0.hundredths == 100 ? $0.currency : nil }
        ?? Currency(rawValue: word.uppercased())
    }
    return ProductTable.fields.lazy.filter { $0.kind == .amount }
      .compactMap { word($0.rawValue).flatMap { try? Amount(reading: $0) }?.currency }.first
  }

  /// An amount; one in the form of exports is exact, also where it would be ambiguous if typed.
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

  /// A date; nil for the market's own products, whose dates stay even where a spreadsheet has changed
  /// them.
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
