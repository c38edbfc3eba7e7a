import Expectations
import MarketModel
import Testing

@testable import MarketTransfer

/// Cells as programs write them.
struct TableCellTests {
  private func cells(
    _ column: String, _ cells: [String], currency: Currency = .usd
  ) throws -> [String] {
    let rows = cells.map { "x,40,\"" + $0.replacing("\"", with: "\"\"") + "\"" }
    return try readTable(
      (["name,price,\(column)"] + rows).joined(separator: "\n"), currency: currency)
  }

  @Test func `whole numbers may end in zeros behind a point`() throws {
    try expect(
      cells("stock", ["3.0", "3.0000", "12", "1,200.0", "0.0"]),
      ["x 40 USD 3", "x 40 USD 3", "x 40 USD 12", "x 40 USD 1200", "x 40 USD 0"])
    try expect(
      readTable(
        "name,price,currency\na,12000.0,KRW\nb,12000.00,KRW\nc,\"1,200.0\",KRW\nd,12.50,KRW\n"),
      [
        "a 12000 KRW 1", "b 12000 KRW 1", "c 1200 KRW 1",
        "line 5: price: No decimals in KRW; check the currency",
      ])
  }

  @Test(arguments: ["", "  ", "NULL", "null", "NaN", "N/A", "n/a", "#N/A", "-", "none", "None"])
  func `what stands for nothing is nothing in a column that may be empty`(_ cell: String) throws {
    for column in [
      "stock", "currency", "discount", "category", "condition", "place", "description", "seller",
      "reserved", "created", "sale price", "compare at price", "id",
    ] {
      try expect(cells(column, [cell]), ["x 40 USD 1"], "\(column) “\(cell)”")
    }
    try expect(readTable("name,price\n-,5\n"), ["- 5 USD 1"])
    #expect(try readTable("name,price\nx,N/A\n")[0].hasPrefix("line 2: price: “N/A”"))
  }

  @Test func `a percent sign is taken in a discount alone`() throws {
    try expect(
      cells("discount", ["20%", "12.5 %", "20％", "0%", "5"]),
      [
        "x 40-8 USD 1", "x 40-5 USD 1", "x 40-8 USD 1", "x 40 USD 1", "x 40-5 USD 1",
      ])
    #expect(try cells("discount", ["120%"])[0].hasPrefix("line 2: discount: More than"))
    for column in ["stock", "sale price"] {
      #expect(try cells(column, ["20%"])[0].hasPrefix("line 2: "))
    }
  }

  @Test func `guards of spreadsheets come off`() throws {
    try expect(
      readTable("name,price,stock,place\n=\"00123\",\"=\"\"7\"\"\",'3,'Mapo\n'Lamp,'5,=\"2\",x\n"),
      ["00123 7 USD 3 Mapo", "Lamp 5 USD 2 x"])
    try expect(readTable("name,price\n\"a=\"\"b\"\"\",5\n"), ["a=\"b\" 5 USD 1"])
    try expect(readTable("name,price\n=\"a,b\",5\n=1+1,6\n"), ["a,b 5 USD 1", "=1+1 6 USD 1"])
  }

  @Test func `choices are known by code and label in either language`() throws {
    try expect(
      cells("category", ["books", "Books", " BOOKS ", "책", "도서", "반려 동물", "Tools"]),
      ["books", "books", "books", "books", "books", "pets", "tools"].map { "x 40 USD 1 \($0)" })
    try expect(
      cells("condition", ["Like new", "like-new", "LIKE_NEW", "likenew", "거의 새것", "좋음", "New"]),
      ["like-new", "like-new", "like-new", "like-new", "like-new", "good", "new"].map {
        "x 40 USD 1 \($0)"
      })
  }

  @Test func `an unknown choice is told with the nearest ones first`() throws {
    let problem = try cells("category", ["Kitchen & Dining"])[0]

    #expect(
      problem.hasPrefix("line 2: category: “Kitchen & Dining” is none of kitchen, electronics, "))
    #expect(problem.hasSuffix("other; --unknown-choices drop leaves the field out"))
    var options = TableOptions()
    options.dropsUnknownChoices = true
    let rows = try readTable("name,price,category,condition\nx,5,Garden,used-ish\n", options)
    expect(
      rows.map { $0.prefix(40) },
      [
        "x 5 USD 1", "line 2: category: “Garden” is left out, ",
        "line 2: condition: “used-ish” is left ou",
      ])
  }

  @Test func `flags are true and false in the words of programs`() throws {
    try expect(
      cells("reserved", ["TRUE", "yes", "1", "Y", "1.0", "예", "FALSE", "no", "0", "n"]),
      Array(repeating: "x 40 USD 1 reserved", count: 6) + Array(repeating: "x 40 USD 1", count: 4))
  }

  @Test func `dates of spreadsheets are of the market's zone`() throws {
    func created(_ date: String) throws -> Int64? {
      var source = try TableSource(
        InputFile(of: Array("name,price,created\nx,5,\(date)\n".utf8)), now: 0,
        zone: .fixed(seconds: 32_400))
      return try source.next()?.product.get().created
    }
    let midnight: Int64 = 1_795_100_400

    for date in [
      "2026-11-20", "2026/11/20", "2026. 11. 20.", "2026. 11. 20", "2026.11.20", "20261120",
      "2026-11-20 오전 12:00", "2026-11-20T00:00:00",
    ] {
      try expect(created(date), midnight, "\(date)")
    }
    for date in [
      "2026-11-20 3:04", "2026/11/20 03:04:00", "2026. 11. 20. 3:04", "2026-11-19T18:04:00Z",
      "2026-11-20T03:04:00+09:00", "2026-11-20 오전 3:04", "2026. 11. 20. 오전 3:04:00",
      "2026-11-20 3:04 AM", "2026-11-20 3:04:00.000", "2026/11/20 3:04a.m.",
    ] {
      try expect(created(date), midnight + 3 * 3_600 + 240, "\(date)")
    }
    for date in ["2026-11-20 오후 3:04", "2026. 11. 20. 오후 3:04:00", "2026-11-20 03:04 PM"] {
      try expect(created(date), midnight + 15 * 3_600 + 240, "\(date)")
    }
    try expect(created("2026-11-20 오후 12:00"), midnight + 12 * 3_600)
    try expect(created("2026-1-5"), 1_767_538_800)
    for date in [
      "2026-13-01", "11/20/2026", "20/11/2026", "2026-11-20 25:00", "soon", "20261320", "99999999",
      "2026-11-20 오후 13:00", "2026-11-20 오후",
    ] {
      #expect(throws: ImportProblem.Reason.self) { try created(date) }
    }
    for serial in ["45981", "45981.5", "1"] {
      #expect(throws: ImportProblem.Reason.serialDay("created", value: serial)) {
        try created(serial)
      }
    }
    try expect(created("1709202030"), 1_709_202_030)
  }

  @Test func `a date in the future is told and becomes that of the import`() throws {
    try expect(
      cells("created", ["2030-01-01", "2026-11-20"]),
      [
        "x 40 USD 1",
        "line 2: created: “2030-01-01” is in the future; the product has the time of this import instead",
        "x 40 USD 1",
      ])
  }

  @Test func `line ends in a line become blanks, and control characters are refused`() throws {
    try expect(
      readTable("name,price,place\n\"Oak\r\n stool\n\",5,\"Ma\tpo\"\n"), ["Oak stool 5 USD 1 Ma po"]
    )
    for cell in ["a\u{1B}[31m", "a\u{0}", "a\u{9B}"] {
      for row in ["\(cell),5,,", "x,5,\(cell),", "x,5,,\(cell)"] {
        #expect(
          try readTable("name,price,place,description\n\(row)\n")[0]
            .hasSuffix(": No control characters; type it again or paste it as plain text"), "\(row)"
        )
      }
    }
    try expect(
      readTable("name,price,description\nx,5,\"a\tb\nc\"\n"), ["x 5 USD 1 “a\tb\nc”"])
  }

  @Test func `amounts of programs are read as everywhere`() throws {
    let table = [
      "US$20": "20 USD", "US $20.00": "20 USD", "us$ 1,234.50": "1234.5 USD", "20 US$": "20 USD",
      "USD $20": "20 USD", "20.5000": "20.5 USD", "20,000원": "20000 KRW", "₩20,000": "20000 KRW",
      "￦20,000": "20000 KRW", "20,000 KRW": "20000 KRW", "1.234,56": "1234.56 USD",
      "1.234.567,89": "1234567.89 USD", "$1,234": "1234 USD", "89,90": "89.9 USD",
    ]
    for (amount, read) in table {
      try expect(readTable("name,price\nx,\"\(amount)\"\n"), ["x \(read) 1"], "\(amount)")
    }
    for amount in ["€20", "CA$20", "20.5001", "0.500", "1,234.567", "$5원", "us20"] {
      #expect(
        try readTable("name,price\nx,\"\(amount)\"\n")[0].hasPrefix("line 2: price: "), "\(amount)")
    }
  }

  @Test func `the unit in the brackets of a heading is its currency`() throws {
    try expect(readTable("상품명,판매가(원)\n의자,5000\n"), ["의자 5000 KRW 1"])
    try expect(readTable("name,Price [USD],원가\nx,5,1\n", currency: .krw), ["x 5 USD 1"])
    try expect(
      readTable("name,price (EUR)\nx,5\n"), ["line 2: currency: “EUR” is none of KRW, USD"])
    #expect(try readTable("name,가격(원)\nx,$5\n")[0].hasPrefix("line 2: price: "))
    var options = TableOptions()
    options.currency = .usd
    try expect(readTable("name,price (EUR)\nx,5\n", options), ["x 5 USD 1"])
    try expect(readTable("name,가격 (VAT 포함)\nx,5\n"), ["x 5 USD 1"])
  }

  @Test func `HTML becomes the text that a browser shows`() {
    let texts = [
      "<p>One</p><p>Two &amp; three</p>": "One\n\nTwo & three",
      "a<br/>b<BR>c": "a\nb\nc",
      "<div>\n  <h2>Size</h2>\n  <ul><li>S</li><li>M</li></ul>\n</div>": "Size\n- S\n- M",
      "<style>p { color: red }</style>Plain <b>bold</b><script>alert('<p>')</script>!":
        "Plain bold!",
      "<!-- hidden -->shown": "shown",
      "Salt &amp; pepper &#39;n&#x27; co &euro;": "Salt & pepper 'n' co €",
      "AT&T, a < b > c, 1 <2, <3, &c; &nosuch;": "AT&T, a < b > c, 1 <2, <3, &c; &nosuch;",
      "two\nlines with <i>stress</i>": "two\nlines with stress",
      "&lt;b&gt; is a tag": "<b> is a tag",
      "<table><tr><td>Width</td><td>3</td></tr><tr><td>Depth</td></tr></table>":
        "Width 3\nDepth",
      "<p": "<p", "": "",
    ]

    for (html, text) in texts { expect(HypertextText.plain(html), text) }
  }

  @Test func `our own rows are taken as they stand`() throws {
    let id = "00112233445566778899aabbccddeeff"
    let row = "3,'Tis <b>&amp;</b>,NULL,KRW,1000,2,\(id),-"

    let rows = try readTable("id,name,description,currency,price,version,market,place\n\(row)\n")

    expect(rows, ["'Tis <b>&amp;</b> 1000 KRW 1 - “NULL”"])
  }

  @Test func `an amount may name the currency, but not against an option`() throws {
    var options = TableOptions()
    options.currency = .usd
    try expect(
      readTable("name,price\na,\"5,000원\"\nb,$5\nc,5\n"),
      [
        "a 5000 KRW 1", "b 5 USD 1", "c 5 USD 1",
      ])
    #expect(try readTable("name,price\na,5000원\n", options)[0].hasPrefix("line 2: price: "))
    try expect(readTable("name,price,currency\na,5000,KRW\n", options), ["a 5000 KRW 1"])
  }
}
