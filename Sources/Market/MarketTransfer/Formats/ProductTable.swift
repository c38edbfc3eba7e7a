import MarketAPI
import MarketModel

/// The columns in which products are written as a table.
enum ProductTable {
  /// The fields of a product that are columns, by their names.
  static let fields = FieldDescription.inArchives.filter { $0.kind != .pictures }
    .map { (name: $0.archiveName.description, field: $0) }

  static let header = TableRecord.bytes(
    ["id"] + fields.map(\.name) + ["seller", "created", "changed"])

  static func bytes(_ product: ArchivedProduct) -> [UInt8] {
    var texts = [product.id.map { String($0.rawValue) } ?? ""]
    for (_, field) in fields { texts.append(text(product.value(of: field))) }
    texts += [product.seller.name, String(product.created), String(product.changed)]
    return TableRecord.bytes(texts)
  }

  private static func text(_ value: FieldValue?) -> String {
    switch value {
    case .text(let text), .code(let text): text
    case .amount(let hundredths): amount(hundredths)
    case .number(let number): String(number)
    case .pictures, .unsaid, nil: ""
    }
  }

  /// An amount in main units, with decimals only where there are any.
  private static func amount(_ hundredths: Int64) -> String {
    String(hundredths: hundredths, decimals: .twoOrNone)
  }
}

/// Products as a table of comma-separated values, whose first record names the columns.
struct TableSource: ProductSource {
  private var lines: LineReader
  private let columns: [String]
  private let now: Int64

  /// Throws `.noColumns` where the first record does not name what a product needs.
  init(_ file: InputFile, now: Int64) throws(TransferError) {
    lines = LineReader(file)
    self.now = now
    guard let columns = Self.columns(try lines.next()?.bytes ?? []) else { throw .noColumns }
    self.columns = columns
  }

  /// The names of columns; nil where they are not those of products.
  static func columns(_ header: [UInt8]) -> [String]? {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    // Spreadsheets put a byte order mark in front.
    let record = header.starts(with: mark) ? Array(header.dropFirst(mark.count)) : header
    guard let names = TableRecord.fields(record), names.contains("name"), names.contains("price")
    else { return nil }
    return names
  }

  mutating func next() throws(TransferError) -> SourceRecord? {
    guard let first = try nextLine() else { return nil }
    var bytes = first.bytes
    var isTooLong = first.isTooLong
    // A line feed inside quotes is part of the record.
    var isOpen = Self.hasOddQuotes(bytes)
    while isOpen, !isTooLong, let line = try lines.next() {
      bytes += [0x0A] + line.bytes
      isTooLong = line.isTooLong || bytes.count > LineReader.longestLine
      if Self.hasOddQuotes(line.bytes) { isOpen = false }
    }
    return SourceRecord(line: first.number, bytes: bytes, product: read(bytes, isTooLong))
  }

  private func read(
    _ bytes: [UInt8], _ isTooLong: Bool
  ) -> Result<ArchivedProduct, ImportProblem.Reason> {
    guard !isTooLong else { return .failure(.tooLong) }
    return Result { () throws(ImportProblem.Reason) in try product(bytes) }
  }

  private mutating func nextLine() throws(TransferError) -> LineReader.Line? {
    while let line = try lines.next() {
      if line.isTooLong || !line.bytes.isEmpty && line.bytes != [0x0D] { return line }
    }
    return nil
  }

  private static func hasOddQuotes(_ bytes: [UInt8]) -> Bool {
    bytes.count { $0 == 0x22 } % 2 == 1
  }

  private func product(_ bytes: [UInt8]) throws(ImportProblem.Reason) -> ArchivedProduct {
    guard let fields = TableRecord.fields(bytes) else { throw .badQuotes }
    guard fields.count == columns.count else { throw .columnCount(fields.count) }
    let row = TableRow(columns: columns, fields: fields)
    let created = try row.date("created") ?? now
    var values: FieldValues = [:]
    for (name, field) in ProductTable.fields {
      values[field.field] = try row.value(name, of: field)
    }
    var product = try ArchiveRules.product(
      of: values, created: created, changed: try row.date("changed") ?? created)
    product.id = try row.number("id", \.integer).map(Product.ID.init(rawValue:))
    if let name = row["seller"], name != Seller.guest.name {
      product.seller = ArchivedSeller(id: nil, name: name)
    }
    try ArchiveRules.check(product)
    return product
  }
}

/// The fields of one record by the names of their columns; an empty field is as none.
private struct TableRow {
  let columns: [String]
  let fields: [String]

  subscript(name: String) -> String? {
    guard let place = columns.firstIndex(of: name), !fields[place].isEmpty else { return nil }
    return fields[place]
  }

  func value(
    _ name: String, of field: FieldDescription
  ) throws(ImportProblem.Reason) -> FieldValue {
    let value: FieldValue? =
      switch field.kind {
      case .line, .text: self[name].map { .text($0) }
      case .currency, .choice: self[name].map { .code($0) }
      case .amount: try number(name, \.hundredths).map { .amount($0) }
      case .number: try number(name, \.integer).map { .number($0) }
      case .pictures, .password: nil
      }
    return if let value { value } else { try ArchiveRules.standard(of: field) }
  }

  func number(
    _ name: String, _ value: (DecimalNumber) -> Int64?
  ) throws(ImportProblem.Reason) -> Int64? {
    guard let text = self[name] else { return nil }
    guard let number = DecimalNumber(text).flatMap(value) else { throw .unreadable(name) }
    return number
  }

  func date(_ name: String) throws(ImportProblem.Reason) -> Int64? {
    guard let text = self[name] else { return nil }
    guard let seconds = ArchiveRules.seconds(text) else { throw .unreadable(name) }
    return seconds
  }
}

/// The fields of one record of comma-separated values (RFC 4180).
private enum TableRecord {
  private static let quote: UInt8 = 0x22
  private static let comma: UInt8 = 0x2C

  /// Divides a record, without the line feed that ends it, into its fields as they came; nil where
  /// quotes do not match.
  static func fields(_ bytes: [UInt8]) -> [String]? {
    var fields: [String] = []
    var rest = bytes.last == 0x0D ? bytes.dropLast() : bytes[...]
    while true {
      guard let field = takeField(of: &rest) else { return nil }
      fields.append(String(decoding: field, as: UTF8.self))
      guard let next = rest.popFirst() else { return fields }
      guard next == comma else { return nil }
    }
  }

  private static func takeField(of rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    guard rest.first == quote else {
      let field = rest.prefix { $0 != comma }
      rest = rest[field.endIndex...]
      return Array(field)
    }
    rest.removeFirst()
    var field: [UInt8] = []
    while let end = rest.firstIndex(of: quote) {
      field += rest[..<end]
      rest = rest[(end + 1)...]
      // Two quotes stand for one inside a field.
      guard rest.first == quote else { return field }
      field.append(quote)
      rest.removeFirst()
    }
    return nil
  }

  /// Writes a record with the line end that RFC 4180 asks for.
  static func bytes(_ fields: [String]) -> [UInt8] {
    var bytes: [UInt8] = []
    for (index, field) in fields.enumerated() {
      if index > 0 { bytes.append(comma) }
      append(field, to: &bytes)
    }
    return bytes + [0x0D, 0x0A]
  }

  private static func append(_ field: String, to bytes: inout [UInt8]) {
    guard field.utf8.contains(where: { [quote, comma, 0x0A, 0x0D].contains($0) }) else {
      bytes += field.utf8
      return
    }
    bytes.append(quote)
    for byte in field.utf8 {
      if byte == quote { bytes.append(quote) }
      bytes.append(byte)
    }
    bytes.append(quote)
  }
}
