import MarketAPI
import MarketModel

/// Fields of a record by the meanings of their columns; an empty field counts as absent.
struct TableRow {
  let table: TableReading
  let fields: [ArraySlice<UInt8>]

  private var columns: TableColumns { table.columns }
  private var options: TableOptions { table.options }

  /// The product of the row; without dates it gets the time of the import.
  /// - Throws: the first error: `.unreadable`, `.noVersion` for the market's own product without one,
  ///   `.amount`, `.serialDay`, `.unknownChoice`, `.field`.
  func product() throws(ImportProblem.Reason) -> SourceProduct {
    let market = word(.market)?.lowercased()
    // A column of this name in another program's table is not ours.
    let id = try market == nil ? word(.id).flatMap(Self.integer) : number(.id)
    let isOwn = id != nil && market != nil && market == table.market?.text
    let version = try market == nil ? nil : number(.version)
    if isOwn, version == nil { throw .noVersion }
    var read = try values(isOwn: isOwn, isExact: market != nil)
    let named = read.values
    for field in ProductTable.fields where read.values[field] == nil {
      read.values[field] = try standard(of: field, &read)
    }
    let created = try date(.created, isOwn: isOwn)
    let changed = try date(.changed, isOwn: isOwn)
    var product = try ArchiveRules.product(
      of: read.values, created: created ?? table.now, changed: changed ?? created ?? table.now)
    product.id = id.map(Product.ID.init(rawValue:))
    product.version = max(1, version ?? 1)
    if let name = text(.seller, isExact: market != nil), name != Seller.guest.name {
      product.seller = ArchivedSeller(id: nil, name: name)
    }
    try ArchiveRules.check(product, ofMarket: market != nil)
    var source = SourceProduct(product)
    source.changes = isOwn ? named : nil
    (source.market, source.created, source.changed) = (market, created, changed)
    (source.assumed, source.dropped) = (read.assumed, read.dropped)
    source.photoAddresses = isOwn ? [] : photoAddresses
    return source
  }

  /// The handle by which rows are one product; nil where the row has none.
  var handle: String? { columns.has(.handle) ? word(.handle) : nil }

  /// The stock of a further row of a product; nil where it has none.
  /// - Throws: what `product()` throws of a stock.
  func furtherStock() throws(ImportProblem.Reason) -> Int64? { try count(.stock) }

  /// Web addresses of photos in all columns for them.
  var photoAddresses: [String] {
    var addresses: [String] = []
    for place in columns.photos where place < fields.count && !fields[place].isEmpty {
      for address in TableCell.addresses(String(decoding: fields[place], as: UTF8.self))
      where !addresses.contains(address) { addresses.append(address) }
    }
    return Array(addresses.prefix(StorageRules.pictureCount.upperBound))
  }
}

/// Values of a row.
private struct RowValues {
  var values: FieldValues = [:]
  var assumed: Set<ProductField> = []
  var dropped: [SourceProduct.Dropped] = []
}

extension TableRow {
  /// The value of a field that a row does not name: as the options say, else the usual one.
  private func standard(
    of field: ProductField, _ read: inout RowValues
  ) throws(ImportProblem.Reason) -> FieldValue {
    switch field {
    case .currency:
      if options.currency == nil { read.assumed.insert(field) }
      return .code((options.currency ?? table.currency).rawValue)
    case .stock:
      if options.stock == nil { read.assumed.insert(field) }
      return .number(options.stock ?? 1)
    case .category: return FieldValue(options.category)
    case .condition: return FieldValue(options.condition)
    case .place: return FieldValue(line: options.place)
    case .name, .description, .price, .discount, .reserved, .questionsClosed, .pictures, .password,
      .sellerName, .sellerContact:
      return try ArchiveRules.standard(of: field)
    }
  }

  /// The values that the row names.
  ///
  /// In a row of the market's own product, an empty text or choice is cleared, and a currency is
  /// required.
  private func values(
    isOwn: Bool, isExact: Bool
  ) throws(ImportProblem.Reason) -> RowValues {
    let named = try namedCurrency()
    if isOwn, named == nil { throw .field(FieldError(.currency, .missing)) }
    let currency = named ?? options.currency ?? table.currency
    var read = RowValues()
    for field in ProductTable.fields {
      switch field.kind {
      case .line, .text: read.values[field] = text(field, isExact: isExact).map { .text($0) }
      case .choice: read.values[field] = try choice(field, &read)
      case .flag: read.values[field] = try flag(field)
      case .currency: read.values[field] = named.map { .code($0.rawValue) }
      case .number: read.values[field] = try count(field).map { .number($0) }
      case .amount where field == .price:
        try readPrices(in: currency, isExact, to: &read.values)
      case .amount, .pictures, .password: break
      }
      let mayBeEmpty =
        switch field.kind {
        case .line, .text, .choice, .flag: true
        case .amount: field.isOptional
        case .number, .currency, .pictures, .password: false
        }
      if read.values[field] == nil, isOwn, mayBeEmpty, columns.has(.field(field)),
        !read.dropped.contains(where: { $0.field == field })
      {
        read.values[field] = field.standard
      }
    }
    return read
  }

  /// Reads price and discount, from the columns of shops as well: a price to pay, or one from before a
  /// discount.
  private func readPrices(
    in currency: Currency, _ isExact: Bool, to values: inout FieldValues
  ) throws(ImportProblem.Reason) {
    let sale = try amount(.salePrice, of: .price, in: currency, isExact).flatMap {
      $0 > 0 ? $0 : nil
    }
    guard var price = try amount(.field(.price), of: .price, in: currency, isExact) ?? sale else {
      return
    }
    var discount: Int64?
    if let before = try amount(.comparePrice, of: .price, in: currency, isExact), before > price {
      discount = before - price
      price = before
    } else if let sale, sale < price {
      discount = price - sale
    }
    if let percent = try percent(.field(.discount)) {
      discount = percent.part(of: Money(hundredths: price, currency: currency))
    } else if let taken = try amount(.field(.discount), of: .discount, in: currency, isExact) {
      discount = taken
    }
    values[.price] = .amount(price)
    if let discount { values[.discount] = .amount(discount) }
  }

  /// The currency of the row: that of its own column, else of one of its amounts, unless the options
  /// name one.
  private func namedCurrency() throws(ImportProblem.Reason) -> Currency? {
    if let word = optionalWord(.field(.currency)) {
      let amount = try? Amount(reading: "1" + word)
      let currency =
        amount.flatMap { $0.hundredths == 100 ? $0.currency : nil }
        ?? Currency(rawValue: word.uppercased())
      guard StorageRules.currencies.contains(currency) else {
        throw .unknownChoice(.currency, of: word)
      }
      return currency
    }
    guard options.currency == nil else { return nil }
    for column in [TableColumn.field(.price), .field(.discount), .salePrice, .comparePrice] {
      guard let word = word(column), TableCell.PlainNumber(word) == nil else { continue }
      if let currency = (try? Amount(reading: word))?.currency { return currency }
    }
    return nil
  }

  private func choice(
    _ field: ProductField, _ read: inout RowValues
  ) throws(ImportProblem.Reason) -> FieldValue? {
    guard let word = optionalWord(.field(field)) else { return nil }
    if let code = TableChoices.of(field).code(of: word) { return .code(code) }
    guard options.dropsUnknownChoices else { throw .unknownChoice(field, of: word) }
    read.dropped.append(SourceProduct.Dropped(field: field, word: word))
    return nil
  }

  private func flag(_ field: ProductField) throws(ImportProblem.Reason) -> FieldValue? {
    guard let word = optionalWord(.field(field)) else { return nil }
    guard let isOn = TableCell.flag(word) else { throw .field(FieldError(field, .unreadable)) }
    return FieldValue(flag: isOn)
  }
}

// MARK: Cells

extension TableRow {
  private func raw(_ column: TableColumn) -> String? {
    guard let place = columns[column], !fields[place].isEmpty else { return nil }
    return String(decoding: fields[place], as: UTF8.self)
  }

  private func text(_ field: ProductField, isExact: Bool) -> String? {
    guard var text = text(.field(field), isExact: isExact, isRequired: field == .name) else {
      return nil
    }
    if !isExact, field == .name || field == .description { text = HypertextText.plain(text) }
    return text
  }

  /// A text as it stands, or in tables of other programs without guards; nil for what stands for nothing.
  private func text(
    _ column: TableColumn, isExact: Bool, isRequired: Bool = false
  ) -> String? {
    guard let text = raw(column), !isExact else { return raw(column) }
    guard !isRequired else { return TableCell.unguarded(text) }
    guard text.utf8.contains(where: { $0 > 0x20 }) else { return nil }
    if text.utf8.count < 12, TableCell.isNothing(Substring(text).trimmed) { return nil }
    return TableCell.unguarded(text)
  }

  /// A field without white space and guards around it; nil where it is empty.
  private func word(_ column: TableColumn) -> String? {
    guard let text = raw(column) else { return nil }
    guard !text.utf8.allSatisfy({ (0x2B...0x7A).contains($0) && $0 != 0x3D }) else { return text }
    let word = TableCell.unguarded(String(Substring(text).trimmed))
    let trimmed = Substring(word).trimmed
    return trimmed.isEmpty ? nil : String(trimmed)
  }

  private func optionalWord(_ column: TableColumn) -> String? {
    word(column).flatMap { TableCell.isNothing($0) ? nil : $0 }
  }

  /// An amount; one in the form of exports is exact, also where it would be ambiguous if typed.
  private func amount(
    _ column: TableColumn, of field: ProductField, in currency: Currency, _ isExact: Bool
  ) throws(ImportProblem.Reason) -> Int64? {
    let word = column == .field(.price) ? word(column) : optionalWord(column)
    guard let text = word else { return nil }
    if let plain = TableCell.PlainNumber(text) {
      if isExact || plain.isWhole || currency.usualDecimals > 0 { return plain.hundredths }
    } else if isExact, let exact = DecimalNumber(text)?.hundredths, exact >= 0,
      text == ProductTable.amount(exact)
    {
      return exact
    }
    return try reading(column.name, of: field, text) { () throws(AmountError) in
      try Amount(reading: text).hundredths(in: currency, takingZeros: true)
    }
  }

  private func percent(_ column: TableColumn) throws(ImportProblem.Reason) -> Percent? {
    guard let text = optionalWord(column), let last = text.last, "%％".contains(last) else {
      return nil
    }
    do throws(AmountError) {
      return try Percent(reading: text)
    } catch {
      throw problem(error, column.name, .discount, text)
    }
  }

  private func count(_ field: ProductField) throws(ImportProblem.Reason) -> Int64? {
    guard let text = optionalWord(.field(field)) else { return nil }
    if let plain = TableCell.PlainNumber(text), plain.isWhole { return plain.hundredths / 100 }
    return try reading(field.rawValue, of: field, text) { () throws(AmountError) in
      try Amount.count(reading: text, takingZeros: true)
    }
  }

  private func reading(
    _ name: String, of field: ProductField, _ text: String,
    _ body: () throws(AmountError) -> Int64
  ) throws(ImportProblem.Reason) -> Int64 {
    do throws(AmountError) { return try body() } catch { throw problem(error, name, field, text) }
  }

  private func problem(
    _ error: AmountError, _ name: String, _ field: ProductField, _ text: String
  ) -> ImportProblem.Reason {
    switch error {
    case .negative: .field(FieldError(field, .negative))
    case .noAmount, .tooLarge: .unreadable(name, holding: text, .field(field))
    case .ambiguous, .decimals, .otherCurrency: .amount(name, error)
    }
  }

  private static func integer(_ text: String) -> Int64? { DecimalNumber(text)?.integer }

  private func number(_ column: TableColumn) throws(ImportProblem.Reason) -> Int64? {
    guard let text = optionalWord(column) else { return nil }
    guard let number = Self.integer(text) else {
      throw .unreadable(column.name, holding: text, .number)
    }
    return number
  }

  /// A date; nil for the market's own products, whose dates stay even where a spreadsheet has changed
  /// them.
  private func date(
    _ column: TableColumn, isOwn: Bool
  ) throws(ImportProblem.Reason) -> Int64? {
    guard !isOwn, let text = optionalWord(column) else { return nil }
    guard !TableCell.isSerialDay(text) else {
      throw .serialDay(column.name, value: text)
    }
    guard let seconds = TableCell.seconds(text, in: table.zone) else {
      throw .unreadable(column.name, holding: text, .date)
    }
    return seconds
  }
}
