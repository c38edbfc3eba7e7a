import Expectations
import MarketModel
import MarketStrings
import SafeTextKit
import Testing

@testable import MarketTransfer

/// Encodings of tables, and files that are none.
struct TableEncodingTests {
  private func table(_ rows: [[UInt8]]) -> [UInt8] {
    Array("name,price\n".utf8) + rows.flatMap { $0 + Array(",5\n".utf8) }
  }

  // 手机 壳 / 苹果 / 耳机 / 说明 and 手機 / 電腦 / 相機 and スマホ / かばん / 時計.
  private static let gbk: [[UInt8]] = [
    [0xD7, 0xCF, 0xCD, 0xF8, 0xD5, 0xE6], [0xCB, 0xB5, 0xC3, 0xF7, 0xD3, 0xD0],
    [0xD2, 0xBB, 0xD6, 0xD8], [0xD5, 0xDB, 0xCF, 0xD6],
  ]
  private static let big5: [[UInt8]] = [
    [0xA4, 0xE2, 0xBE, 0xF7], [0xB9, 0x71, 0xB8, 0xA3], [0xAC, 0xDB, 0xBE, 0xF7], [0xA4, 0xA4],
  ]
  private static let shiftJIS: [[UInt8]] = [
    [0x83, 0x58, 0x83, 0x7D, 0x83, 0x7A], [0x82, 0xA9, 0x82, 0xCE, 0x82, 0xF1],
    [0x8E, 0x9E, 0x8C, 0x76],
  ]

  @Test func `text that is not Korean is not read as CP949`() throws {
    for rows in [Self.gbk, Self.big5, Self.shiftJIS] {
      #expect(throws: TransferError.foreignEncoding) { try readTable(table(rows)) }
    }
    let text = TransferError.foreignEncoding.text(Strings(.english)).string
    for name in ["GBK", "Big5", "Shift-JIS", "--encoding"] { #expect(text.contains(name)) }
  }

  @Test func `an encoding that is named is used`() throws {
    func names(_ rows: [[UInt8]], _ name: String) throws -> [String] {
      var options = TableOptions()
      options.encoding = TextEncoding(named: name)
      return try readTable(table(rows), options)
    }
    try expect(names([Self.gbk[1]], "gb2312"), ["说明有 5 USD 1"])
    try expect(names([Self.big5[0]], "big5"), ["手機 5 USD 1"])
    try expect(names([Self.shiftJIS[1]], "Shift_JIS"), ["かばん 5 USD 1"])
    try expect(names([[0x43, 0x61, 0x66, 0xE9]], "windows-1252"), ["Café 5 USD 1"])
    // A byte that Windows-1252 does not have costs its row.
    try expect(
      names([[0x81], [0x80]], "cp1252"),
      [
        "line 2: not text in the encoding of the file; save the file as UTF-8, or name its "
          + "encoding: --encoding CP949", "€ 5 USD 1",
      ])
    #expect(TextEncoding(named: "klingon") == nil)
  }

  @Test func `letters of Western Europe cost their rows alone`() throws {
    let rows = try readTable(
      table([[0x43, 0x61, 0x66, 0xE9], Array("Lamp".utf8), [0x4E, 0xE9, 0x65]]))

    expect(rows.count, 3)
    expect(rows[1], "Lamp 5 USD 1")
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
