import MarketAPI
import MarketModel

/// Fields of a record by the meanings of their columns; an empty field counts as absent.
struct TableRow {
  let table: TableReading
  private(set) var fields: [ArraySlice<UInt8>]

  init(table: TableReading, fields: [ArraySlice<UInt8>]) {
    self.table = table
    self.fields = fields
  }

  private var columns: TableColumns { table.columns }
  private var options: TableOptions { table.options }

  /// The product of the row; without dates, or with later ones, it gets the time of the import.
  ///
  /// Of the market's own product the row may name any fields, and the others have no meaning.
  ///
  /// - Throws: the first error: `.unreadable`, `.noVersion` for the market's own product without one,
  ///   `.unlisted`, `.total`, `.amount`, `.serialDay`, `.unknownChoice`, `.field`.
  func product() throws(ImportProblem.Reason) -> SourceProduct {
    let market = word(.market)?.lowercased()
    // A column of this name in another program's table is not ours.
    let id = try market == nil ? word(.id).flatMap(Self.integer) : number(.id)
    let isOwn = id != nil && market != nil && market == table.market?.text
    let version = try market == nil ? nil : number(.version)
    if isOwn, version == nil { throw .noVersion }
    if market == nil { try checkIsListed() }
    var read = try values(isOwn: isOwn, isExact: market != nil)
    let named = read.values
    if isOwn {
      read.values[.name] = named[.name] ?? .text("?")
      read.values[.price] = named[.price] ?? named[.discount] ?? .amount(0)
    }
    for field in ProductTable.fields where read.values[field] == nil {
      read.values[field] = isOwn ? field.standard : try standard(of: field, &read)
    }
    let created = try date(.created, isOwn: isOwn)
    let changed = try date(.changed, isOwn: isOwn)
    let latest = market == nil ? table.now : .max
    for (column, date) in [(TableColumn.created, created), (.changed, changed)] {
      if let date, date > latest, let text = word(column) {
        read.remarks.append(.futureDate(column.name, value: text))
      }
    }
    var product = try ArchiveRules.product(
      of: read.values, created: min(created ?? table.now, latest),
      changed: min(changed ?? created ?? table.now, latest))
    product.id = id.map(Product.ID.init(rawValue:))
    product.version = max(1, version ?? 1)
    if let name = text(.seller, isExact: market != nil), name != Seller.guest.name {
      product.seller = ArchivedSeller(id: nil, name: name)
    }
    try ArchiveRules.check(product, ofMarket: market != nil)
    var source = SourceProduct(product)
    source.changes = isOwn ? named : nil
    source.amountCurrency = read.amountCurrency
    (source.market, source.created, source.changed) = (market, created, changed)
    (source.assumed, source.remarks) = (read.assumed, read.remarks)
    source.photoAddresses = isOwn ? [] : photoAddresses
    return source
  }

  /// The handle by which rows are one product; nil where the row has none.
  var handle: String? { columns.has(.handle) ? word(.handle) : nil }

  /// The stock, or 0 where the row says that nothing is left; nil where it says neither.
  /// - Throws: what `product()` throws of a stock.
  func stock() throws(ImportProblem.Reason) -> Int64? {
    if columns.hasOversoldStock, let text = optionalWord(.field(.stock)), text.first == "-",
      DecimalNumber(text) != nil
    {
      return 0
    }
    if let stock = try count(.stock) { return stock }
    let states = [TableColumn.inStock, .status].lazy.compactMap { self.optionalWord($0) }
    return states.contains(where: TableCell.isSoldOut) ? 0 : nil
  }

  /// Checks the prices of a further row of a product.
  /// - Throws: what `product()` throws of a price.
  func checkPrices() throws(ImportProblem.Reason) {
    var (values, remarks): (FieldValues, [ImportProblem.Reason]) = ([:], [])
    var currency = try namedCurrency()
    if currency == nil { currency = try currencyOfAmounts() }
    currency = currency ?? options.currency ?? table.currency
    try readPrices(in: currency, isExact: false, to: &values, &remarks)
  }

  /// Adds from a further row of the same product what this one lacks; prices where it has none.
  mutating func add(_ further: TableRow) {
    let texts = [ProductField.name, .description, .currency, .category, .condition, .place]
    var lacking = texts.map(TableColumn.field).filter { word($0) == nil }
    if !hasPrice, further.hasPrice { lacking += [.field(.price), .salePrice, .comparePrice] }
    for place in lacking.compactMap({ columns[$0] }) { fields[place] = further.fields[place] }
  }

  private var hasPrice: Bool { word(.field(.price)) != nil || word(.salePrice) != nil }

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
  /// What was changed in the row.
  var remarks: [ImportProblem.Reason] = []
  /// Currency of the amounts of a market's own product whose row names none for the product.
  var amountCurrency: Currency?
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
  /// In a row of the market's own product, an empty text or choice is cleared.
  private func values(
    isOwn: Bool, isExact: Bool
  ) throws(ImportProblem.Reason) -> RowValues {
    var read = RowValues()
    let named = try namedCurrency()
    var ofAmounts = named
    if named == nil {
      ofAmounts = try currencyOfAmounts(isOwn: isOwn)
      read.amountCurrency = isOwn ? ofAmounts : nil
    }
    let currency = ofAmounts ?? (isOwn ? nil : options.currency ?? table.currency)
    for field in ProductTable.fields {
      switch field.kind {
      case .line, .text: read.values[field] = text(field, isExact: isExact).map { .text($0) }
      case .choice: read.values[field] = try choice(field, &read)
      case .flag: read.values[field] = try flag(field)
      case .currency:
        read.values[field] = (isOwn ? named : ofAmounts).map { .code($0.rawValue) }
      case .number: read.values[field] = try stock().map { .number($0) }
      case .amount where field == .price:
        try readPrices(in: currency, isExact: isExact, to: &read.values, &read.remarks)
      case .amount, .pictures, .password: break
      }
      if read.values[field] == nil, isOwn, field.canBeCleared, columns.has(.field(field)),
        !read.remarks.contains(where: { $0.isDropped(field) })
      {
        read.values[field] = field.standard
      }
    }
    if !isExact, case .text(let name)? = read.values[.name], TableCell.isTotal(name) {
      throw .total(name)
    }
    return read
  }

  /// Reads price and discount, from the columns of shops as well: a price to pay, or one from before a
  /// discount; `currency` nil is the unknown one of the market's own product.
  private func readPrices(
    in currency: Currency?, isExact: Bool, to values: inout FieldValues,
    _ remarks: inout [ImportProblem.Reason]
  ) throws(ImportProblem.Reason) {
    let sale = try amount(.salePrice, of: .price, in: currency, isExact).flatMap {
      $0 > 0 ? $0 : nil
    }
    let before = try amount(.comparePrice, of: .price, in: currency, isExact).flatMap {
      $0 > 0 ? $0 : nil
    }
    var price = try amount(.field(.price), of: .price, in: currency, isExact) ?? sale ?? before
    var discount: Int64?
    if let before, let now = price, before > now {
      (price, discount) = (before, before - now)
    } else if let sale, let full = price, sale < full {
      discount = full - sale
    }
    if let sale, let price, sale > price { remarks.append(ignored(.salePrice)) }
    if let before, let price, before < price { remarks.append(ignored(.comparePrice)) }
    if let percent = try percent(.field(.discount)) {
      guard let price else { throw .field(FieldError(.price, .missing)) }
      guard let currency else { throw .field(FieldError(.currency, .missing)) }
      discount = percent.part(of: Money(hundredths: price, currency: currency))
    } else if let taken = try amount(.field(.discount), of: .discount, in: currency, isExact) {
      discount = taken
    }
    if let price { values[.price] = .amount(price) }
    if let discount { values[.discount] = .amount(discount) }
  }

  private func ignored(_ column: TableColumn) -> ImportProblem.Reason {
    .priceIgnored(column.name, value: word(column) ?? "")
  }

  /// The currency that the row's own column names.
  private func namedCurrency() throws(ImportProblem.Reason) -> Currency? {
    guard let word = optionalWord(.field(.currency)) else { return nil }
    return try currency(named: word)
  }

  private func currency(named word: String) throws(ImportProblem.Reason) -> Currency {
    let currency = TableCell.currency(named: word) ?? Currency(rawValue: word.uppercased())
    guard StorageRules.currencies.contains(currency) else {
      throw .unknownChoice(.currency, of: word)
    }
    return currency
  }

  /// The currency of the amounts, by the heading of one or by its cell, unless the options name one for
  /// new products.
  private func currencyOfAmounts(isOwn: Bool = false) throws(ImportProblem.Reason) -> Currency? {
    guard isOwn || options.currency == nil else { return nil }
    if let heading = columns.currency { return try currency(named: heading) }
    for column in [TableColumn.field(.price), .field(.discount), .salePrice, .comparePrice] {
      guard let word = word(column), TableCell.PlainNumber(word) == nil else { continue }
      if let currency = (try? Amount(reading: word))?.currency { return currency }
    }
    return nil
  }

  /// Checks that its shop shows the product.
  /// - Throws: `.unlisted`.
  private func checkIsListed() throws(ImportProblem.Reason) {
    for column in [TableColumn.status, .published] {
      if let state = optionalWord(column), TableCell.isUnlisted(state) {
        throw .unlisted(column.name, value: state)
      }
    }
  }

  private func choice(
    _ field: ProductField, _ read: inout RowValues
  ) throws(ImportProblem.Reason) -> FieldValue? {
    guard let word = optionalWord(.field(field)) else { return nil }
    if let code = TableChoices.of(field).code(of: word) { return .code(code) }
    // Shops number their categories.
    let isNumber = field == .category && word.allSatisfy { $0.isASCII && $0.isNumber }
    guard options.dropsUnknownChoices || isNumber else { throw .unknownChoice(field, of: word) }
    read.remarks.append(.unknownChoice(field, of: word, isDropped: true))
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
    guard !isExact else { return text }
    if field == .name || field == .description { text = HypertextText.plain(text) }
    return field == .description ? TableCell.withLineEnds(text) : TableCell.line(text)
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
    _ column: TableColumn, of field: ProductField, in currency: Currency?, _ isExact: Bool
  ) throws(ImportProblem.Reason) -> Int64? {
    let word = column == .field(.price) ? word(column) : optionalWord(column)
    guard let text = word.map(TableCell.withoutFixedBlanks) else { return nil }
    if let plain = TableCell.PlainNumber(text) {
      if isExact || plain.isWhole || currency?.usualDecimals != 0 { return plain.hundredths }
    } else if isExact, let exact = DecimalNumber(text)?.hundredths, exact >= 0,
      text == ProductTable.amount(exact)
    {
      return exact
    }
    return try reading(column.name, of: field, text) { () throws(AmountError) in
      let amount = try Amount(reading: text)
      return try currency.map { currency throws(AmountError) in
        try amount.hundredths(in: currency, takingZeros: true)
      } ?? amount.hundredths
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
    guard let text = optionalWord(.field(field)).map(TableCell.withoutFixedBlanks) else {
      return nil
    }
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

extension ProductField {
  /// Whether an empty cell of a market's own product clears it.
  fileprivate var canBeCleared: Bool {
    switch kind {
    case .line, .text, .choice, .flag: true
    case .amount: isOptional
    case .number, .currency, .pictures, .password: false
    }
  }
}
