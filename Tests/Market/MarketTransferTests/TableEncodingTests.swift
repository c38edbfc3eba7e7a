import Expectations
import MarketModel
import MarketStrings
import SafeTextKit
import Testing
import TextCoding

@testable import MarketTransfer

/// Encodings of tables, and files that are none.
struct TableEncodingTests {
  private func table(_ rows: [[UInt8]]) -> [UInt8] {
    Array("name,price\n".utf8) + rows.flatMap { $0 + Array(",5\n".utf8) }
  }

  /// Words of Chinese and Japanese goods.
  private static let gbk = words(
    "CAD6BBFABFC7", "C6BBB9FB", "C0B6D1C0B6FABBFA", "CAFDBEDDCFDF", "B3E4B5E7C6F7",
    "D2C6B6AFB5E7D4B4", "D4CBB6AFD0AC", "C1ACD2C2C8B9", "C5A3D7D0BFE3")
  private static let big5 = words(
    "A4E2BEF7", "C4ABAA47", "C2C5A4FAA6D5BEF7", "A552B971BEB9", "A6E6B0CAB971B7BD", "B942B0CABE63",
    "AC76B8CB", "A4FBA54ABFC7")
  private static let shiftJIS = words(
    "8C6791D1936498628350815B8358", "83438384837A8393", "8F5B93648AED", "895E93AE8C43",
    "838F83938373815B8358", "8357815B83938359", "82A982CE82F1")

  private static func words(_ digits: String...) -> [[UInt8]] {
    digits.compactMap(Hexadecimal.bytes(of:))
  }

  @Test func `text that is not Korean is not read as CP949`() throws {
    for (rows, encoding) in [
      (Self.gbk, TextEncoding.gbk), (Self.big5, .big5), (Self.shiftJIS, .shiftJIS),
    ] {
      #expect(throws: TransferError.foreignEncoding(encoding)) { try readTable(table(rows)) }
    }
    let text = TransferError.foreignEncoding(.big5).text(Strings(.english)).string
    for name in ["GBK", "Big5", "Shift-JIS", "--encoding"] { #expect(text.contains(name)) }
  }

  @Test func `an encoding that is named is used`() throws {
    func names(_ rows: [[UInt8]], _ name: String) throws -> [String] {
      var options = TableOptions()
      options.encoding = TextEncoding(named: name)
      return try readTable(table(rows), options)
    }
    try expect(names([Self.gbk[0]], "gb2312"), ["手机壳 5 USD 1"])
    try expect(names([Self.big5[0]], "big5"), ["手機 5 USD 1"])
    try expect(names([Self.shiftJIS[6]], "Shift_JIS"), ["かばん 5 USD 1"])
    try expect(names([[0x43, 0x61, 0x66, 0xE9]], "windows-1252"), ["Café 5 USD 1"])
    // A byte that Windows-1252 does not have costs its row.
    try expect(
      names([[0x81], [0x80]], "cp1252"),
      [
        "line 2: not text in the encoding of the file; correct this row, or save the table again as "
          + "UTF-8", "€ 5 USD 1",
      ])
    #expect(TextEncoding(named: "klingon") == nil)
  }

  /// “Café”, “Größe”, “Süße”, “Straße” and “Née” in Windows-1252.
  private static let western = words(
    "436166E9", "4772F6DF65", "53FCDF65", "5374726123DF65", "4EE965")

  @Test func `letters of Western Europe cost their rows alone, and the hint names their encoding`()
    throws
  {
    let rows = try readTable(table(Self.western + [Array("Lamp".utf8)]))

    let hint =
      "not UTF-8; the file seems to be in Windows-1252: name its encoding, "
      + "--encoding Windows-1252"
    expect(rows, (2...6).map { "line \($0): \(hint)" } + ["Lamp 5 USD 1"])
    // Where other rows are UTF-8, no other encoding helps.
    let mixed = try readTable(table([Self.western[0], Array("의자".utf8)]))
    #expect(mixed[0].hasSuffix("save the table again as UTF-8"))
  }

  @Test func `a heading that is not UTF-8 names the encoding that it looks like`() throws {
    let headings: [(TextEncoding?, [UInt8])] = [
      (.windows1252, Array("Prix,Quantit".utf8) + [0xE9]), (.gbk, Self.gbk.flatMap { $0 }),
      (.big5, Self.big5.flatMap { $0 }), (.shiftJIS, Self.shiftJIS.flatMap { $0 }),
      (nil, [0x8D, 0x2C, 0x9D]),
    ]
    for (encoding, heading) in headings {
      #expect(throws: TransferError.unknownEncoding(encoding)) {
        try readTable(heading + Array("\nx,5\n".utf8))
      }
    }
  }

  @Test func `symbols of a Korean file do not make it Chinese`() throws {
    // “★세일①” and “◆특가→” in CP949.
    let rows = Self.words(
      "A1DABCBCC0CFA8E7", "A1DFC6AFB0A1A1E6", "A1DAA1DAA1DA", "A8E7A8E8A8E9A1E6")
    try expect(
      readTable(table(rows + rows)).filter { $0.hasSuffix(" 5 USD 1") }.count, 8)
  }

  @Test func `an encoding that was guessed is told`() throws {
    func guess(_ bytes: [UInt8]) throws -> TextEncoding? {
      var source = try TableSource(InputFile(of: bytes), now: 0)
      while try source.next() != nil {}
      return source.guessedEncoding
    }
    try expect(guess(table([[0xC0, 0xC7, 0xC0, 0xDA]])), .cp949)
    try expect(guess("name,price\nLamp,5\n".utf16.flatMap { [UInt8($0), 0] }), .utf16LE)
    try expect(guess(table([Array("의자".utf8)])), nil)
  }

  @Test func `a file of another kind is told by what it is`() {
    let kinds: [([UInt8], FileKind?)] = [
      ([0x50, 0x4B, 3, 4] + Array("....[Content_Types].xml".utf8), .workbook),
      (
        [0x50, 0x4B, 3, 4] + Array("mimetypeapplication/vnd.oasis.opendocument.spreadsheet".utf8),
        .openDocument
      ),
      ([0x50, 0x4B, 3, 4, 0, 0], .zip),
      ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1, 0], .oldWorkbook),
      ([0x1F, 0x8B, 8], .gzip), (Array("%PDF-1.7".utf8), .pdf),
      (Array("\u{FEFF} <HTML><table>".utf8), .markup), (Array("name,price\n".utf8), nil),
      (Array("PK,price\n".utf8), nil), ([], nil),
    ]

    for (bytes, kind) in kinds { expect(FileKind(sniffing: bytes), kind) }
    expect(
      TransferError.otherKind(path: "a.xlsx", .workbook).text(Strings(.english)).string,
      "a.xlsx is an Excel workbook (.xlsx), not a table; open it in a spreadsheet program and "
        + "save it as “CSV UTF-8”")
  }
}
