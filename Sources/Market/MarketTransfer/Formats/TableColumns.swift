import CommandKit
import MarketModel
import MarketStrings
import SafeTextKit

/// Meaning of a table's column.
package enum TableColumn: Hashable, Sendable {
  case id, seller, created, changed, version, market
  case field(ProductField)
  /// Rows of one handle are one product.
  case handle
  /// The price to pay, where it is lower than the price.
  case salePrice
  /// The price before a discount, where it is higher than the price.
  case comparePrice
  /// Web addresses of photos; the only meaning that several columns may have.
  case photos
  /// Whether the shop shows the product: two columns, since shops have two.
  case status, published
  /// Whether there is any of it, where the stock is not counted.
  case inStock

  /// Names in exports and on the command line.
  package var name: String {
    switch self {
    case .id: "id"
    case .seller: "seller"
    case .created: "created"
    case .changed: "changed"
    case .version: "version"
    case .market: "market"
    case .field(let field): field.rawValue
    case .handle: "handle"
    case .salePrice: "sale_price"
    case .comparePrice: "compare_price"
    case .photos: "photos"
    case .status: "status"
    case .published: "published"
    case .inStock: "in_stock"
    }
  }

  /// All columns that a table may have.
  static let all =
    [.id] + ProductTable.fields.map(Self.field)
    + [.seller, .created, .changed, .version, .market, .handle, .salePrice, .comparePrice, .photos]
    + [.status, .published, .inStock]

  /// Columns that tables of other programs have.
  package static let ofPeople = all.filter { !$0.headings.isEmpty }

  /// The most telling headings, for help.
  package var examples: [String] { Array(headings.prefix(6)) }

  /// Headings in the tables of shops, the most telling first.
  fileprivate var headings: [String] {
    switch self {
    case .field(.name):
      [
        "title", "상품명", "product name", "product title", "item name", "item title", "product",
        "item", "제품명", "품명", "상품 이름", "제목", "등록상품명", "노출상품명", "물품명", "품목명", "제품 이름",
        "listing title",
      ]
    case .field(.description):
      [
        "body (html)", "상품 상세정보", "상세설명", "상품 상세설명", "상품설명", "product description",
        "item description", "long description", "body", "body html", "details", "상품 상세", "상세정보",
        "short description",
      ]
    case .field(.price):
      [
        "판매가", "variant price", "regular price", "start price", "판매가격", "product price",
        "unit price", "item price", "selling price", "sell price", "단가", "판매단가", "상품가격", "제품가격",
        "상품가", "standard price", "your price", "sales price", "retail price",
      ]
    case .field(.currency): ["currency code", "통화코드", "화폐"]
    case .field(.stock):
      [
        "재고수량", "variant inventory qty", "quantity", "qty", "stock quantity", "stock qty",
        "inventory quantity", "inventory", "available quantity", "재고량", "수량", "current quantity",
      ]
    case .field(.category): ["categories", "카테고리", "카테고리명"]
    case .field(.condition): ["상품상태", "condition id", "item condition"]
    case .field(.place): ["location", "item location", "거래지역"]
    case .salePrice:
      ["sale price", "discounted price", "special price", "할인가", "할인판매가", "할인가격"]
    case .comparePrice:
      [
        "variant compare at price", "compare at price", "list price", "original price", "msrp",
        "rrp", "소비자가", "소비자가격", "정가", "정상가", "할인율기준가", "시중가",
      ]
    case .photos:
      [
        "image src", "variant image", "images", "image", "image url", "image urls", "image link",
        "additional image link", "pic url", "picture url", "photo", "photo url", "대표이미지",
        "추가이미지", "이미지", "사진", "main image url", "base image", "featured image",
      ] + (1...20).flatMap { ["image\($0)", "photo\($0)"] }
    case .status: ["판매상태", "product status", "listing status"]
    case .published: ["진열상태", "전시상태", "전시여부", "노출여부"]
    case .inStock: ["in stock?", "is in stock", "availability"]
    case .id, .seller, .created, .changed, .version, .market, .field, .handle: []
    }
  }

  /// Words of headings that may mean the name or the price, but do not say so.
  fileprivate var hints: [String] {
    switch self {
    case .field(.name):
      [
        "model", "label", "artikel", "bezeichnung", "produkt", "produit", "désignation", "nombre",
        "nom", "모델", "품목", "물품", "상품", "제품",
      ]
    case .field(.price):
      ["cost", "amount", "preis", "prix", "precio", "value", "금액", "원가", "비용", "값"]
    default: []
    }
  }

  /// What a heading means, with the rank of its words, the most telling least; a unit in brackets is no
  /// part of it.
  fileprivate static func meaning(of heading: String) -> (column: TableColumn, rank: Int)? {
    if let column = own[heading.heading] { return (column, -1) }
    if let shop = ofShops[heading.heading] { return shop }
    let plain = heading.withoutBrackets.heading
    guard plain != heading.heading else { return nil }
    return own[plain].map { ($0, ofBrackets) } ?? ofShops[plain].map { ($0.column, ofBrackets) }
  }

  /// Columns by the names that are ours: those of exports, and the form's labels in both languages.
  fileprivate static let own: [String: TableColumn] = {
    var own = Dictionary(uniqueKeysWithValues: all.map { ($0.name.heading, $0) })
    for strings in Language.allCases.map(Strings.init) {
      for field in ProductTable.fields {
        own[strings[field.phrase].string.heading] = .field(field)
      }
      own[strings[.sellerNameTitle].string.heading] = .seller
    }
    return own
  }()

  /// Rank of headings with brackets, behind all others.
  private static let ofBrackets = 1_000

  /// Columns by the headings of shops, with the rank of the heading.
  fileprivate static let ofShops: [String: (column: TableColumn, rank: Int)] = {
    var shops: [String: (column: TableColumn, rank: Int)] = [:]
    for column in all {
      for (rank, heading) in column.headings.enumerated() where own[heading.heading] == nil {
        shops[heading.heading] = (column, rank)
      }
    }
    return shops
  }()

  /// The column that a person names on the command line; nil for an unknown name.
  init?(named name: String) {
    guard let column = Self.own[name.heading] ?? Self.ofShops[name.heading]?.column else {
      return nil
    }
    self = column
  }
}

extension String {
  /// The text without its parts in brackets.
  fileprivate var withoutBrackets: String {
    var (plain, depth) = ("", 0)
    for character in self {
      if "([（".contains(character) {
        depth += 1
      } else if ")]）".contains(character) {
        depth -= 1
      } else if depth <= 0 {
        plain.append(character)
      }
    }
    return plain
  }

  /// A heading without what does not tell it from others: case, blanks, asterisks, hyphens, underscores
  /// and marks of byte order.
  fileprivate var heading: String {
    String(
      lowercased().unicodeScalars.filter {
        !$0.properties.isWhitespace && !"*_-\u{FEFF}".unicodeScalars.contains($0)
      }.map(Character.init))
  }
}

/// Columns of a table by the headings in its first record.
struct TableColumns {
  /// Number of columns up to the last named one.
  let count: Int
  /// Headings of unknown columns; the number of an unnamed one.
  private(set) var unknown: [String] = []
  /// Columns that have a heading of other programs, in their order; photos once.
  private(set) var recognised: [TableOptions.Column] = []
  /// Places of the columns of photos.
  private(set) var photos: [Int] = []
  private var places: [TableColumn: Int] = [:]
  /// Currency that the heading of an amount names; nil for none.
  private(set) var currency: String?
  /// Whether a stock below 0 is what a shop has sold beyond it.
  private(set) var hasOversoldStock = false

  /// Nil where the columns of a name and a price are missing, but for tables of a market's own products.
  ///
  /// - Throws: `.columnTwice` where two columns have the same meaning; `.noColumn` where the table lacks
  ///   a heading that the options name.
  init?(_ headings: [String], _ options: TableOptions = TableOptions()) throws(TransferError) {
    let names = headings.map(\.heading)
    count = (names.lastIndex { !$0.isEmpty } ?? -1) + 1
    var meanings: [(column: TableColumn, rank: Int)?] = Array(repeating: nil, count: count)
    for mapped in options.columns {
      guard let column = TableColumn(named: mapped.name) else { continue }
      guard let place = names.firstIndex(of: mapped.heading.heading), place < count else {
        throw .noColumn(mapped.heading, among: Self.told(headings))
      }
      meanings[place] = (column, -2)
    }
    for place in 0..<count where meanings[place] == nil {
      meanings[place] = TableColumn.meaning(of: headings[place])
    }
    for (place, meaning) in meanings.enumerated() {
      guard let meaning else {
        let heading = headings[place].filter { $0 != "\u{FEFF}" }
        unknown.append(heading.allSatisfy(\.isWhitespace) ? String(place + 1) : heading)
        continue
      }
      if meaning.column == .photos {
        if photos.isEmpty { recognise(meaning, headings[place]) }
        photos.append(place)
        continue
      }
      let best = meanings.compactMap { $0?.column == meaning.column ? $0?.rank : nil }.min()
      guard meaning.rank == best else {
        unknown.append(headings[place])
        continue
      }
      guard places.updateValue(place, forKey: meaning.column) == nil else {
        throw .columnTwice(meaning.column.name)
      }
      recognise(meaning, headings[place])
    }
    guard has(.id) && has(.market) || has(.field(.name)) && !amounts.isEmpty else { return nil }
    currency = amounts.lazy.compactMap { TableCell.currency(ofHeading: headings[$0]) }.first
    hasOversoldStock =
      has(.handle) || has(.inStock)
      || recognised.contains { $0.name == ProductField.stock.rawValue }
  }

  /// Places of the columns that have a price.
  private var amounts: [Int] {
    [.field(.price), .salePrice, .comparePrice].compactMap { places[$0] }
  }

  private mutating func recognise(
    _ meaning: (column: TableColumn, rank: Int), _ heading: String
  ) {
    guard meaning.rank >= 0, let told = Self.told([heading]).first else { return }
    recognised.append(TableOptions.Column(name: meaning.column.name, heading: told))
  }

  func has(_ column: TableColumn) -> Bool { places[column] != nil }

  /// The index of a column; nil where the table lacks it.
  subscript(column: TableColumn) -> Int? { places[column] }

  /// The columns that were found, where a name or a price is not among them.
  static func missing(_ headings: [String]) -> MissingColumns {
    let found = told(headings)
    var missing = MissingColumns(found: found)
    for column in [TableColumn.field(.name), .field(.price)] {
      let words = [column.name] + column.headings
      guard !found.contains(where: { TableColumn.meaning(of: $0)?.column == column }) else {
        continue
      }
      let known = Set(words.map(\.heading))
      let guessed = missing.guesses.map(\.heading)
      let open = found.filter { TableColumn.meaning(of: $0) == nil && !guessed.contains($0) }
      let near =
        open.first { heading in known.contains { heading.heading.contains($0) } }
        ?? open.first { heading in column.hints.contains { heading.heading.contains($0) } }
        ?? open.first { Spelling.nearest(to: $0.heading, among: Array(known)) != nil }
      missing.guesses.append(.init(column: column.name, heading: near))
    }
    return missing
  }

  /// Maximum number of headings in a message, and of characters of each.
  private static let (mostTold, longestTold) = (40, 60)

  private static func told(_ headings: [String]) -> [String] {
    let words = headings.lazy.map { heading in
      let start = heading.unicodeScalars.prefix(longestTold).filter { $0 != "\u{FEFF}" }
      return String(Substring(String(String.UnicodeScalarView(start))).trimmed)
    }
    return Array(words.filter { !$0.isEmpty }.prefix(mostTold))
  }
}

/// Columns of a table without a name or a price.
package struct MissingColumns: Hashable, Sendable {
  /// A column that is missing, and the heading that may mean it; nil for none.
  package struct Guess: Hashable, Sendable {
    package var column: String
    package var heading: String?
  }

  /// Headings of the first line.
  package var found: [String]
  package var guesses: [Guess] = []
  /// Line that names the columns below others; nil for none.
  package var headingLine: Int?
}

/// What the user says about a table.
package struct TableOptions: Hashable, Sendable {
  /// Heading and the name of the column that it means.
  package struct Column: Hashable, Sendable {
    package var name: String
    package var heading: String
  }

  package var columns: [Column] = []
  /// Values of new products that their row does not name.
  package var currency: Currency?
  package var stock: Int64?
  package var category: ProductCategory?
  package var condition: ProductCondition?
  package var place: String?
  /// Nil guesses the encoding.
  package var encoding: TextEncoding?
  /// Whether an unknown choice costs its field, not its row.
  package var dropsUnknownChoices = false
  package var fetchesPhotos = false

  package init() {}
}
