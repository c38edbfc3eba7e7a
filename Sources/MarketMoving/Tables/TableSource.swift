import MarketAPI
import MarketModel

/// Products as a table of comma-separated values, whose first record names the columns.
struct TableSource: ProductSource {
  private var lines: LineReader
  private let columns: [String]
  private let now: Int64

  /// - Throws: `.noColumns` where the first record does not name what a product needs.
  init(_ file: InputFile, now: Int64) throws(MovingError) {
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

  mutating func next() throws(MovingError) -> SourceRecord? {
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

  private mutating func nextLine() throws(MovingError) -> LineReader.Line? {
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
    guard let price = try row.number("price", \.hundredths) else {
      throw .field(FieldError(.price, .missing))
    }
    let product = ArchivedProduct(
      id: try row.number("id", \.integer).map(Product.ID.init(rawValue:)),
      seller: row["seller"].map { name in
        name == Seller.guest.name ? .guest : ArchivedSeller(id: nil, name: name)
      } ?? .guest,
      name: row["name"] ?? "", description: row["description"] ?? "",
      price: try ArchiveRules.price(
        price, discount: try row.number("discount", \.hundredths) ?? 0,
        currency: row["currency"] ?? Currency.krw.rawValue),
      stock: try row.number("stock", \.integer) ?? 0, created: created,
      changed: try row.date("changed") ?? created)
    try ArchiveRules.check(product)
    return product
  }
}
