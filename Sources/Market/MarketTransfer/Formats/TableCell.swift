import MarketAPI
import MarketModel
import MarketStrings
import SafeTextKit

/// Cells of tables, as programs write them.
enum TableCell {
  private static let nothing: Set<String> = [
    "null", "nan", "n/a", "#n/a", "na", "-", "none", "<na>", "\\n", "(null)", "nil",
  ]

  /// Whether a cell of an optional column says that there is nothing.
  static func isNothing(_ text: some StringProtocol) -> Bool {
    text.utf8.count <= 6 && nothing.contains(text.lowercased())
  }

  /// The text without the guards by which spreadsheets keep it as it is: `="00123"` and `'00123`.
  static func unguarded(_ text: String) -> String {
    switch text.utf8.first {
    case UInt8(ascii: "'"): return String(text.dropFirst())
    case UInt8(ascii: "="):
      guard text.hasPrefix("=\""), text.hasSuffix("\""), text.utf8.count > 2 else { return text }
      return String(text.dropFirst(2).dropLast()).replacing("\"\"", with: "\"")
    default: return text
    }
  }

  private static let unlisted: Set<String> = [
    "draft", "archived", "inactive", "unlisted", "disabled", "private", "pending", "trash",
    "deleted",
    "hidden", "판매중지", "판매종료", "판매안함", "판매금지", "판매대기", "진열안함", "미진열", "전시중지",
    "노출안함", "비공개", "숨김", "임시저장",
  ]
  private static let soldOut: Set<String> = [
    "outofstock", "soldout", "sold", "품절", "판매완료", "거래완료",
  ]

  /// Whether a state says that its shop does not show the product.
  static func isUnlisted(_ state: String) -> Bool {
    flag(state) == false || unlisted.contains(state.choiceKey) || state == "-1"
  }

  /// Whether a state says that nothing is left of the product.
  static func isSoldOut(_ state: String) -> Bool {
    flag(state) == false || soldOut.contains(state.choiceKey)
  }

  private static let totals: Set<String> = [
    "total", "totals", "grandtotal", "subtotal", "sum", "합계", "총계", "총합계", "소계", "누계",
  ]

  /// Whether a name is that of a sum below a table.
  static func isTotal(_ name: String) -> Bool {
    name.utf8.count <= 24 && totals.contains(name.choiceKey.filter { $0 != ":" })
  }

  /// A text of one line: each run of line ends and tabs as one blank, none around it.
  static func line(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0 == "\t" || $0.isLineEnd }) else { return text }
    return text.split { $0 == "\t" || $0.isNewline }.map { String($0.trimmed) }
      .filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// A text with the line ends that WooCommerce writes as `\n`; paths of Windows stay.
  static func withLineEnds(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "\\")), !text.contains(":\\") else { return text }
    let lines = text.replacing("\\r\\n", with: "\n").replacing("\\n", with: "\n")
    return String(Substring(lines).trimmed)
  }

  /// The currency of a word, sign or code; nil for other words.
  static func currency(named word: String) -> Currency? {
    if let sign = signs[word] { return sign }
    let amount = try? Amount(reading: "1" + word)
    return amount.flatMap { $0.hundredths == 100 ? $0.currency : nil }
  }

  /// The currency in the brackets of a heading: `Price (USD)`, `가격(원)`; nil for other brackets.
  static func currency(ofHeading heading: String) -> String? {
    guard let open = heading.firstIndex(where: { "([（".contains($0) }) else { return nil }
    let word = heading[heading.index(after: open)...].prefix { !")]）".contains($0) }.trimmed
    let found = currency(named: String(word))?.rawValue
    return found.flatMap { headed.contains($0) ? $0 : nil }
  }

  private static let signs = [
    "€": Currency(rawValue: "EUR"), "£": Currency(rawValue: "GBP"), "¥": Currency(rawValue: "JPY"),
  ]
  /// Currencies that a heading may name; other words of three letters, such as `VAT`, are none.
  private static let headed: Set<String> = [
    "KRW", "USD", "EUR", "GBP", "JPY", "CNY", "CHF", "CAD", "AUD", "TWD", "HKD", "SGD",
  ]

  static func flag(_ word: String) -> Bool? {
    switch word.lowercased() {
    case "yes", "true", "1", "1.0", "y", "t", "on", "예", "네", "참": true
    case "no", "false", "0", "0.0", "n", "f", "off", "아니오", "아니요", "거짓": false
    default: nil
    }
  }

  /// Web addresses of a cell, which may hold several with commas, bars or blanks between.
  static func addresses(_ text: String) -> [String] {
    var addresses: [String] = []
    for part in text.split(whereSeparator: { $0.isWhitespace || $0 == "|" }) {
      var rest = part
      while let comma = rest.firstIndex(where: { ",;".contains($0) }) {
        let behind = rest[rest.index(after: comma)...]
        guard behind.isEmpty || behind.isWebAddress else { break }
        addresses.append(String(rest[..<comma]))
        rest = behind
      }
      addresses.append(String(rest))
    }
    return addresses.filter { Substring($0).isWebAddress }
  }

  // MARK: Numbers

  /// A number without the fixed blanks that French settings have between its groups.
  static func withoutFixedBlanks(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
    let blanks: Set<Unicode.Scalar> = ["\u{A0}", "\u{202F}", "\u{2009}"]
    return String(String.UnicodeScalarView(text.unicodeScalars.filter { !blanks.contains($0) }))
  }

  /// Digits with one or two decimals, or with more that are zeros, which have one reading; three may be
  /// a group.
  struct PlainNumber {
    private(set) var hundredths: Int64 = 0
    var isWhole: Bool { hundredths.isMultiple(of: 100) }

    /// Nil for other texts, and for more than 18 digits.
    init?(_ text: String) {
      let bytes = text.utf8
      guard (1...18).contains(bytes.count), bytes.first != 0x2E else { return nil }
      var (decimals, isFraction) = (0, false)
      for byte in bytes {
        if byte == 0x2E, !isFraction {
          isFraction = true
        } else if (0x30...0x39).contains(byte), decimals < 2 || byte == 0x30 {
          if decimals < 2 {
            let (product, isTooLarge) = hundredths.multipliedReportingOverflow(by: 10)
            guard !isTooLarge else { return nil }
            hundredths = product + Int64(byte - 0x30)
          }
          if isFraction { decimals += 1 }
        } else {
          return nil
        }
      }
      guard isFraction == (decimals > 0), decimals != 3 else { return nil }
      for _ in 0..<max(0, 2 - decimals) {
        let (product, isTooLarge) = hundredths.multipliedReportingOverflow(by: 10)
        guard !isTooLarge else { return nil }
        hundredths = product
      }
    }
  }

  // MARK: Dates

  /// Number of digits of a day such as `20261120`.
  private static let dayDigits = 8
  /// Number of days of a spreadsheet up to the end of the year 9999.
  private static let serialDays: ClosedRange<Int64> = 0...2_958_465

  /// Whether a number may be the day of a spreadsheet, with or without the time as its fraction.
  static func isSerialDay(_ text: String) -> Bool {
    DecimalNumber(text)?.floor.map(serialDays.contains) == true
  }

  /// Seconds since 1970 of a date in a table: of RFC 3339, as spreadsheets write them in the zone, or as
  /// such a number; nil for other texts.
  static func seconds(_ text: String, in zone: TimeZone) -> Int64? {
    if let number = DecimalNumber(text), text.utf8.count != dayDigits {
      return WireDate.read(seconds: number)?.seconds
    }
    return WireDate.read(local: text, in: zone) ?? WireDate.read(text)?.seconds
  }
}

extension Unicode.Scalar {
  fileprivate var isLineEnd: Bool {
    (0x0A...0x0D).contains(value) || [0x85, 0x2028, 0x2029].contains(value)
  }
}

extension Substring {
  fileprivate var isWebAddress: Bool {
    ["http://", "https://"].contains { prefix($0.count).lowercased() == $0 }
  }
}

/// Codes of the choices of a field, by all that tables call them.
struct TableChoices: Sendable {
  static let category = TableChoices(
    .category,
    [
      "도서": "books", "서적": "books", "book": "books", "전자제품": "electronics",
      "전자기기": "electronics", "디지털": "electronics", "컴퓨터/노트북": "computers",
      "주방용품": "kitchen", "옷": "clothing", "clothes": "clothing", "apparel": "clothing",
      "뷰티": "beauty", "화장품": "beauty", "완구": "toys", "toy": "toys", "유아용품": "baby",
      "반려동물용품": "pets", "pet": "pets", "sport": "sports", "outdoor": "outdoors",
      "tool": "tools", "computer": "computers", "others": "other",
    ])
  static let condition = TableChoices(
    .condition,
    [
      "새상품": "new", "신상품": "new", "brandnew": "new", "newother": "new",
      "중고": "good", "중고상품": "good", "used": "good", "preowned": "good", "verygood": "good",
      "refurbished": "like-new", "리퍼": "like-new", "리퍼상품": "like-new", "mint": "like-new",
      "acceptable": "fair", "forpartsornotworking": "parts", "부품": "parts", "broken": "parts",
      // Numbers of eBay.
      "1000": "new", "1500": "new", "1750": "new", "2000": "like-new", "2010": "like-new",
      "2020": "like-new", "2030": "like-new", "2500": "like-new", "2750": "like-new",
      "3000": "good", "4000": "good", "5000": "good", "6000": "fair", "7000": "parts",
    ])

  private let codes: [String: String]

  private init(_ field: ProductField, _ others: [String: String]) {
    var codes = others
    for code in field.inOrder(Set(ProductCategory.names + ProductCondition.names)) {
      codes[code.choiceKey] = code
      for strings in Language.allCases.map(Strings.init) {
        if let phrase = field.phrase(of: code) { codes[strings[phrase].string.choiceKey] = code }
      }
    }
    self.codes = codes
  }

  static func of(_ field: ProductField) -> TableChoices {
    field == .condition ? condition : category
  }

  /// The code of a word; of a path or list of words (`Clothing > Hoodies, Sale`) the first that is one.
  func code(of word: String) -> String? {
    if let code = codes[word] ?? codes[word.choiceKey] { return code }
    let parts = word.split { $0 == ">" || $0 == "," }
    return parts.count > 1
      ? parts.lazy.compactMap { codes[String($0).choiceKey] }.first : nil
  }

  /// The codes, those that a word may mean first.
  static func nearest(to word: String, of field: ProductField) -> [String] {
    guard case .choice(let names) = field.kind else {
      return StorageRules.currencies.map(\.rawValue)
    }
    let choices = of(field).codes
    let parts =
      word.split { !$0.isLetter && !$0.isNumber }.map { String($0).choiceKey } + [word.choiceKey]
    let near = names.filter { name in
      parts.contains { part in
        choices.contains { key, code in
          code == name && key.count > 2
            && (key == part || part.count > 2 && (key.hasPrefix(part) || part.hasPrefix(key)))
        }
      }
    }
    return near + names.filter { !near.contains($0) }
  }
}

extension String {
  /// A choice without case, blanks, hyphens and underscores.
  fileprivate var choiceKey: String {
    lowercased().filter { !$0.isWhitespace && $0 != "-" && $0 != "_" }
  }
}
