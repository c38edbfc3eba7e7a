import MarketModel
import TextCoding

/// What the rows of a table are read by.
struct TableReading {
  var columns: TableColumns
  var options = TableOptions()
  /// Currency of new products that name none.
  var currency = Currency.krw
  /// The date of products without one, in seconds since 1970.
  var now: Int64
  /// Rows that name this market are its own products.
  var market: MarketID?
  /// Zone of dates that name none.
  var zone = TimeZone.local
}

/// Reader of products in a table, whose first record names the columns.
struct TableSource: ProductSource {
  private var records: RecordReader
  private let table: TableReading
  /// The product whose further rows may follow, and what is returned before the next row is read.
  private var open: Group?
  private var ready: [SourceRecord] = []
  /// Hashes of the handles above.
  private var handles: Set<Int> = []

  /// - Throws: `.noColumns` where the first record lacks a name or a price; `.columnTwice`; `.noColumn`;
  ///   `.encoding`, `.unknownEncoding`, `.foreignEncoding`; `.file`.
  init(
    _ file: InputFile, now: Int64, market: MarketID? = nil,
    _ options: TableOptions = TableOptions(), currency: Currency = .krw,
    zone: TimeZone = .local
  ) throws(TransferError) {
    records = RecordReader(file, options.encoding)
    let columns = try records.header { names throws(TransferError) in
      try TableColumns(names, options)
    }
    table = TableReading(
      columns: columns, options: options, currency: currency, now: now, market: market, zone: zone)
  }

  /// Whether bytes begin with a table's column names.
  static func isTable(_ bytes: [UInt8], _ options: TableOptions = TableOptions()) -> Bool {
    (try? TableSource(InputFile(of: bytes), now: 0, options)) != nil
  }

  var columns: TableColumns? { table.columns }

  var guessedEncoding: TextEncoding? { records.guessedEncoding }

  mutating func next() throws(TransferError) -> SourceRecord? {
    guard table.columns.has(.handle) else {
      return try nextRow().map { record, row in self.record(record, row) }
    }
    while ready.isEmpty {
      guard let (record, row) = try nextRow() else {
        close()
        break
      }
      append(record, row)
    }
    return ready.isEmpty ? nil : ready.removeFirst()
  }

  // MARK: Rows

  private typealias Row = Result<TableRow, ImportProblem.Reason>

  private mutating func nextRow() throws(TransferError) -> (RecordReader.Record, Row)? {
    while let record = try records.next() {
      if isBlank(record) { continue }
      return (record, Row { () throws(ImportProblem.Reason) in try row(record) })
    }
    return nil
  }

  private func isBlank(_ record: RecordReader.Record) -> Bool {
    guard !record.isBlank, let fields = try? record.fields.get() else { return record.isBlank }
    return fields.allSatisfy { $0.allSatisfy(\.isBlank) }
  }

  private func row(_ record: RecordReader.Record) throws(ImportProblem.Reason) -> TableRow {
    let fields = try record.fields.get()
    guard record.bytes.isUTF8 else { throw .notUTF8(records.likelyEncoding) }
    let surplus = fields.dropFirst(table.columns.count)
    guard fields.count >= table.columns.count, surplus.allSatisfy({ $0.allSatisfy(\.isBlank) })
    else {
      throw .columnCount(fields.count)
    }
    return TableRow(table: table, fields: fields)
  }

  private func record(_ record: RecordReader.Record, _ row: Row) -> SourceRecord {
    SourceRecord(
      lines: record.lines, byteCount: record.bytes.count,
      product: row.flatMap { row in
        Result { () throws(ImportProblem.Reason) in try row.product() }
      })
  }

  // MARK: Rows of one handle

  /// Adds a row to the open product or makes it one of its own; an unreadable row is neither.
  private mutating func append(_ read: RecordReader.Record, _ row: Row) {
    guard let fields = try? row.get() else {
      ready.append(record(read, row))
      return
    }
    guard let handle = fields.handle else {
      close()
      ready.append(record(read, row))
      return
    }
    if open?.handle == handle {
      do throws(ImportProblem.Reason) {
        try open?.add(fields)
      } catch {
        ready.append(failure(error, read))
      }
    } else if handles.insert(handle.hashValue).inserted {
      close()
      open = Group(handle: handle, read: read, row: fields)
    } else {
      ready.append(failure(.handleAbove(handle), read))
    }
  }

  /// Ends the open product.
  private mutating func close() {
    guard let group = open else { return }
    open = nil
    var record = self.record(group.read, .success(group.row))
    record.rowCount = group.rowCount
    record.product = record.product.flatMap { product in
      Result { () throws(ImportProblem.Reason) in try group.completing(product) }
    }
    ready.append(record)
  }

  /// Rows of one product.
  private struct Group {
    let handle: String
    /// The first row as it was read, and with what further ones add.
    let read: RecordReader.Record
    var row: TableRow
    var rowCount = 1
    private var stock: Int64?
    private var photoAddresses: [String]

    init(handle: String, read: RecordReader.Record, row: TableRow) {
      (self.handle, self.read, self.row) = (handle, read, row)
      stock = (try? row.stock()) ?? nil
      photoAddresses = row.photoAddresses
    }

    /// Adds a further row.
    /// - Throws: what is wrong with its stock or its prices.
    mutating func add(_ further: TableRow) throws(ImportProblem.Reason) {
      try further.checkPrices()
      if let more = try further.stock() {
        let (sum, isTooLarge) = (stock ?? 0).addingReportingOverflow(more)
        guard !isTooLarge else { throw .field(FieldError(.stock, .unreadable)) }
        stock = sum
      }
      rowCount += 1
      row.add(further)
      for address in further.photoAddresses where !photoAddresses.contains(address) {
        photoAddresses.append(address)
      }
      photoAddresses = Array(photoAddresses.prefix(StorageRules.pictureCount.upperBound))
    }

    /// The product of the first row with what all rows say.
    /// - Throws: `.field` where the sum of the stocks is too large.
    func completing(_ product: SourceProduct) throws(ImportProblem.Reason) -> SourceProduct {
      guard product.changes == nil else { return product }
      var product = product
      product.photoAddresses = photoAddresses
      guard let stock else { return product }
      guard StorageRules.stock.contains(stock) else {
        throw .field(FieldError(.stock, .unreadable))
      }
      product.product.stock = stock
      product.assumed.remove(.stock)
      return product
    }
  }

  private func failure(
    _ reason: ImportProblem.Reason, _ read: RecordReader.Record
  ) -> SourceRecord {
    SourceRecord(lines: read.lines, byteCount: read.bytes.count, product: .failure(reason))
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0D || self == 0x0A }
}
