import CommandKit
import Glibc
import MarketAPI
import MarketModel
import MarketStrings
import MarketTransfer
import MarketViews
import Posix
import SafeTextKit
import TerminalKit

/// Printer of products on standard output: a table with headings at a terminal, tab-separated fields
/// otherwise, or JSON.
struct ProductPrinter {
  let writesJSON: Bool
  private let strings: Strings
  /// Width of the terminal in columns; nil if the output is no terminal.
  private let width: Int?
  private let isPlain: Bool
  private var hasHeadings = false
  /// Base address of the market's product pages; nil if there are none.
  private var publicAddress: WebAddress?

  /// Maximum columns of a description's line.
  private static let maxLineLength = 72
  /// Width in columns if the terminal does not report one.
  private static let usualWidth = 80
  private static let gap = 2
  /// Minimum width of the name column; on a narrower terminal lines exceed the width.
  private static let minNameLength = 12

  init(writesJSON: Bool, _ strings: Strings) {
    self.writesJSON = writesJSON
    self.strings = strings
    width =
      isatty(STDOUT_FILENO) == 1
      ? TerminalWidth.columns(of: STDOUT_FILENO) ?? Self.usualWidth : nil
    isPlain =
      Environment.value(of: "NO_COLOR")?.isEmpty == false
      || Environment.value(of: "TERM") == "dumb"
  }

  /// Returns the printer with the address of a repository's product pages.
  /// - Throws: what `ProductRepository.capabilities()` throws.
  func knowing(
    _ repository: any ProductRepository
  ) async throws(RepositoryError) -> ProductPrinter {
    var printer = self
    printer.publicAddress = try await repository.capabilities().publicAddress
    return printer
  }

  /// Like `knowing(_:)`, but returns self unchanged if the repository does not answer.
  func knowingIfAnswered(_ repository: any ProductRepository) async -> ProductPrinter {
    (try? await knowing(repository)) ?? self
  }

  private func address(of product: Product.ID) -> ProductAddress? {
    publicAddress.flatMap { ProductAddress(product, in: $0) }
  }

  // MARK: Pages of a list

  /// Whether pages are printed as tables, whose columns are as wide as each page needs.
  var printsTables: Bool { width != nil && !writesJSON }

  /// Prints a page of a list, with headings above the first one.
  mutating func print(_ page: ProductPage) {
    if writesJSON {
      let lines = page.products.enumerated().flatMap { index, product in
        let description = page.descriptions.isEmpty ? nil : page.descriptions[index]
        return ProductLine.bytes(product, description: description, at: address(of: product.id))
      }
      Console.say(lines)
    } else if let width, !page.products.isEmpty {
      printTable(page.products, width: width)
    } else {
      Console.say(lines(of: page.products))
    }
    if page.unreadableRows > 0 {
      Console.warn(strings.counted(.unreadableRows, page.unreadableRows))
    }
  }

  /// Lines of tab-separated fields, in the format of `tabbed`.
  private func lines(of products: [Product]) -> [UInt8] {
    var ages = AgeTexts(now: SystemTime.now(), strings)
    var lines: [UInt8] = []
    for product in products {
      for field in fields(of: product, age: ages.text(product.created)) {
        lines += field.string.utf8
        lines.append(UInt8(ascii: "\t"))
      }
      lines[lines.count - 1] = UInt8(ascii: "\n")
    }
    return lines
  }

  private mutating func printTable(_ products: [Product], width: Int) {
    let headings = [
      strings[.columnNumber], strings[ProductField.price.phrase],
      strings[ProductField.discount.phrase], strings[ProductField.stock.phrase],
      strings[.columnListed], strings[ProductField.name.phrase],
    ]
    let rows = products.map(cells)
    let widths = headings.indices.dropLast().map { column in
      ([headings] + rows).map { $0[column].columns }.max() ?? 0
    }
    let nameWidth = max(Self.minNameLength, width - widths.reduce(0) { $0 + $1 + Self.gap })
    var lines = rows.map { Self.line($0, widths, nameWidth) }
    if !hasHeadings { lines.insert(dimmed(Self.line(headings, widths, nameWidth)), at: 0) }
    hasHeadings = true
    Console.say(lines.joined(separator: "\n"))
  }

  private func cells(of product: Product) -> [SafeText] {
    var fields = fields(of: product, age: age(product.created))
    fields.insert(percent(product) ?? .empty, at: 2)
    fields[3] = stock(product)
    return fields
  }

  /// Row with numbers aligned right, and the name in the remaining width.
  private static func line(_ cells: [SafeText], _ widths: [Int], _ nameWidth: Int) -> String {
    let padded = zip(cells, widths).enumerated().map { column, cell in
      let alignment: SafeText.Alignment = column == cells.count - 2 ? .leading : .trailing
      return cell.0.padded(toColumns: cell.1, alignment: alignment) + .spaces(gap)
    }
    return (padded + [cells[cells.count - 1].truncated(toColumns: nameWidth)]).joined().string
  }

  // MARK: Changes

  /// Prints a change, with its product if that could be read.
  func print(_ change: MarketChange, _ products: [Product.ID: Product]) {
    let product: Product? =
      if case .product(let changed) = change { products[changed.id] } else { nil }
    guard !writesJSON else {
      var line = ChangeCoding.json(change)
      if let product {
        line.removeLast()
        line += ",\"product\":".utf8
        line += ProductLine.bytes(product, description: nil, at: address(of: product.id)).dropLast()
        line.append(UInt8(ascii: "}"))
      }
      return Console.say(String(decoding: line, as: UTF8.self))
    }
    Console.say(
      Self.tabbed(
        words(for: change)
          + (product.map { fields(of: $0, age: age($0.created)) } ?? []).dropFirst()))
  }

  /// Kind of a change as in JSON, and the id.
  private func words(for change: MarketChange) -> [SafeText] {
    switch change {
    case .product(let product):
      [SafeText(product.kind.rawValue), SafeText(product.id.rawValue)]
    case .seller(let seller): ["seller", SafeText(seller.rawValue)]
    case .question(let question):
      [SafeText(question.kind.rawValue), SafeText(question.product.rawValue)]
    }
  }

  // MARK: One product

  /// Prints all data of a product, its description, and a change of its price.
  func print(_ detail: ProductDetail, _ change: PriceChange? = nil) {
    guard !writesJSON else {
      var line = ProductLine.bytes(detail, at: address(of: detail.id))
      if let change {
        var writer = JSONWriter()
        writer.beginObject()
        change.write(to: &writer)
        writer.endObject()
        line = line.dropLast(2) + [UInt8(ascii: ",")] + writer.bytes.dropFirst()
        line.append(UInt8(ascii: "\n"))
      }
      return Console.say(line)
    }
    var facts =
      width == nil ? facts(of: detail).map(Self.tabbed) : alignedFacts(of: detail)
    if let change {
      facts.append(
        width == nil
          ? Self.tabbed(["priceChange", change.text])
          : dimmed(strings[ProductField.price.phrase].string + "  ") + change.text.string)
    }
    let lines = SafeText.lines(detail.description)
      .flatMap { line in
        width.map { line.wrapped(toColumns: min($0, Self.maxLineLength)) } ?? [line]
      }
      .map(\.string)
    Console.say((facts + (detail.description.isEmpty ? [] : [""] + lines)).joined(separator: "\n"))
  }

  /// Facts of a product under their names in JSON: the fields of a list's row, the seller and further
  /// fields.
  private func facts(of detail: ProductDetail) -> [[SafeText]] {
    let names: [SafeText] = ["id", "price", "stock", "created", "name", "seller"]
    let product = detail.product
    let values =
      fields(of: product, age: age(product.created)) + [SafeText(detail.product.seller.name)]
    var facts = zip(names, values).map { [$0, $1] }
    if let price = detail.product.pricing.price, price.isReduced {
      facts.append(["fullPrice", MoneyText.text(price.full)])
      facts.append(["discount", percent(detail.product) ?? .empty])
    }
    facts += further(detail).map { field, text in
      [SafeText(field.rawValue), text]
    }
    if detail.questionCount > 0 {
      facts.append(["questions", SafeText(detail.questionCount)])
    }
    if let address = address(of: detail.id) { facts.append(["url", SafeText(address.text)]) }
    return facts + ProductLine.pictureAddresses(of: detail).map { ["picture", SafeText($0)] }
  }

  /// Facts of a product under their names on the screens, aligned.
  private func alignedFacts(of detail: ProductDetail) -> [String] {
    let product = detail.product
    let rows: [(SafeText, SafeText)] =
      [
        (strings[.columnNumber], SafeText(product.id.rawValue)),
        (strings[ProductField.name.phrase], SafeText(product.name)),
        (strings[ProductField.price.phrase], fullPrice(product)),
        (
          strings[ProductField.stock.phrase],
          product.isSoldOut ? strings[.soldOut] : SafeText(product.stock)
        ),
        (strings[.columnListed], age(product.created)),
        (strings[.columnSeller], SafeText(product.seller.name)),
      ] + further(detail).map { (strings[$0.phrase], $1) }
      + (detail.questionCount > 0
        ? [(strings[.columnQuestions], SafeText(detail.questionCount))] : [])
      + [address(of: detail.id)].compactMap(\.self)
      .map { (strings[.columnAddress], SafeText($0.text)) }
      + ProductLine.pictureAddresses(of: detail).map {
        (strings[ProductField.pictures.phrase], SafeText($0))
      }
    let names = rows.map(\.0.columns).max() ?? 0
    return rows.map { name, value in
      dimmed(name.padded(toColumns: names + Self.gap).string) + value.string
    }
  }

  private func further(_ detail: ProductDetail) -> [(ProductField, SafeText)] {
    FieldText.further(detail.fieldValues, strings).map { ($0.field, $0.text) }
  }

  // MARK: Questions

  /// Prints a question with its answer: a line of facts above the texts at a terminal, else
  /// tab-separated fields.
  func print(_ question: Question) {
    guard !writesJSON else { return Console.say(ProductLine.bytes(question)) }
    let answer = question.answer.map { SafeText($0.text) }
    let facts = [
      SafeText(question.id.rawValue), SafeText(question.product.rawValue), age(question.asked),
      SafeText(question.asker ?? Seller.guest.name),
      question.offer.map { MoneyText.text($0) } ?? .empty,
    ]
    guard let width else {
      return Console.say(Self.tabbed(facts + [SafeText(question.text), answer ?? .empty]))
    }
    let texts =
      [SafeText(question.text)] + (answer.map { [strings[.columnSeller] + ": " + $0] } ?? [])
    let lines = texts.flatMap { $0.wrapped(toColumns: min(width, Self.maxLineLength)) }
    Console.say(dimmed(facts.map(\.string).joined(separator: "  ")))
    Console.say(lines.map(\.string).joined(separator: "\n"))
  }

  // MARK: Texts

  /// Fields of every list: id, price to pay, stock, age and name.
  private func fields(of product: Product, age: SafeText) -> [SafeText] {
    [
      SafeText(product.id.rawValue), price(product), SafeText(product.stock), age,
      SafeText(product.name),
    ]
  }

  private func age(_ time: Timestamp) -> SafeText {
    AgeText.text(time, now: SystemTime.now(), strings)
  }

  /// Stock and whether the product is reserved or sold, as in lists.
  private func stock(_ product: Product) -> SafeText {
    if product.isSoldOut { return strings[.soldOut] }
    guard product.isReserved else { return SafeText(product.stock) }
    let reserved = strings[ProductFilter.reserved.phrase]
    return product.stock == 1 ? reserved : SafeText(product.stock) + " · " + reserved
  }

  private func price(_ product: Product) -> SafeText {
    product.pricing.price.map { MoneyText.text($0.toPay) } ?? strings[.priceUnreadable]
  }

  /// Price to pay, followed by the full one and the discount.
  private func fullPrice(_ product: Product) -> SafeText {
    guard let price = product.pricing.price, price.isReduced, let percent = percent(product) else {
      return self.price(product)
    }
    return self.price(product) + " (" + MoneyText.text(price.full) + ", " + percent + ")"
  }

  private func percent(_ product: Product) -> SafeText? {
    guard let price = product.pricing.price, price.isReduced else { return nil }
    return "-" + SafeText(price.discountPercent) + "%"
  }

  private func dimmed(_ text: String) -> String {
    isPlain ? text : "\u{1B}[2m" + text + "\u{1B}[22m"
  }

  /// Joins fields by tabs, which safe text does not contain.
  private static func tabbed(_ fields: [SafeText]) -> String {
    fields.map(\.string).joined(separator: "\t")
  }
}
