import Expectations
import MarketModel
import Testing

@testable import MarketTransfer

/// Tables of a shop owner who looks for trouble: settings of other countries, bulk forms of shops, and
/// what stands around a table.
struct ShopOwnerTableTests {
  @Test func `a German spreadsheet has semicolons, commas and the euro`() throws {
    try expect(
      readTable(
        "Title;Price;Stock;Location\r\n\"Schrank, groß\";1.249,00;2;Köln\r\n"
          + "Lampe;19,9;;\r\nBild;\"20,00 €\";1;\r\n"),
      [
        "Schrank, groß 1249 USD 2 Köln", "Lampe 19.9 USD 1",
        "line 4: price: “20,00 €”: Not an amount, such as 12,000 or 12.50",
      ])
  }

  @Test func `a French spreadsheet has fixed blanks between its groups`() throws {
    try expect(
      readTable("Title;Price\r\nArmoire;1\u{202F}249,50\r\nLit;12\u{A0}000,00\r\n"),
      ["Armoire 1249.5 USD 1", "Lit 12000 USD 1"])
  }

  @Test func `the bulk form of Amazon names its columns in the second line`() throws {
    let text =
      "TemplateType=fptcustom\tVersion=2025\t\nItem name\tStandard price\tMain image URL\nLamp\t5\t\n"

    #expect(throws: TransferError.self) { try readTable(text) }
    try expect(
      readTable(String(text.drop { $0 != "\n" }.dropFirst())), ["Lamp 5 USD 1"])
  }

  @Test func `the bulk forms of Cafe24 and Coupang have their own headings`() throws {
    try expect(
      readTable(
        "상품코드,진열상태,판매상태,상품명,상품 상세설명,소비자가,판매가\nP1,Y,Y,셔츠,<p>여름</p>,59000,39000\n"
          + "P2,Y,N,바지,,,20000\nP3,진열안함,판매함,양말,,,1000\n", currency: .krw
      ).map { $0.prefix(36) },
      [
        "셔츠 59000-20000 KRW 1 “여름”", "line 3: status: “N”, so its shop does".prefix(36),
        "line 4: published: “진열안함”, so its shop".prefix(36),
      ])
    try expect(
      readTable(
        "등록상품명,판매가격(원),할인율기준가,재고수량,대표이미지\n\"우산, 자동\",\"15,000\",\"20,000\",\"1,200\",https://i.example/u.jpg\n"
      ),
      ["우산, 자동 20000-5000 KRW 1200 https://i.example/u.jpg"])
  }

  @Test func `the rows of explanation below the headings of Naver are named`() throws {
    let rows = try readTable(
      "상품명,판매가,재고수량\n필수,필수 입력,숫자만\n컵,9000,3\n", currency: .krw)

    #expect(rows[0].hasPrefix("line 2: "))
    expect(rows.dropFirst(), ["컵 9000 KRW 3"])
  }

  @Test func `a sum below the table is no product`() throws {
    for sum in ["합계,45000", "Total,$45.00", "Grand total:,45", "TOTAL,45"] {
      let rows = try readTable("name,price\nLamp,45\n\n\(sum)\n")
      #expect(rows[0] == "Lamp 45 USD 1" && rows[1].contains("is a sum"), "\(rows)")
    }
    try expect(readTable("name,price\nTotal Effects cream,5\n"), ["Total Effects cream 5 USD 1"])
  }

  @Test func `square brackets, emoji and marks of order do no harm`() throws {
    try expect(
      readTable("\u{FEFF}Title,Price [USD],Qty.\r\n👩‍👩‍👧 ★ set,12,3\r\nשולחן,13,\r\n"),
      ["👩‍👩‍👧 ★ set 12 USD 1", "שולחן 13 USD 1"])
  }

  @Test func `headings over several columns stand in a line of their own`() {
    func message(_ text: String) -> TransferError? {
      do throws(TransferError) {
        _ = try TableSource(InputFile(of: Array(text.utf8)), now: 0)
        return nil
      } catch {
        return error
      }
    }
    for text in [
      "상품 정보,,판매 정보,\n상품명,상세설명,판매가,재고\n컵,,5,1\n",
      "Our list 2026;;;\r\n;;;\r\nName;Price;Stock;\r\nCup;5;1;\r\n",
    ] {
      guard case .noColumns(let missing)? = message(text) else {
        Issue.record("\(text)")
        continue
      }
      expect(missing.headingLine, text.contains("Our") ? 3 : 2)
    }
    expect(message("name,price,Price\na,1,2\n"), .columnTwice("price"))
  }

  @Test func `a table without a line end at its end, in old line ends, or of one row comes`() throws
  {
    try expect(readTable("name,price\rLamp,5\rDesk,6"), ["Lamp 5 USD 1", "Desk 6 USD 1"])
    try expect(readTable("name\tprice\nLamp\t5"), ["Lamp 5 USD 1"])
    try expect(readTable("name,price"), [])
    try expect(readTable("\n;;\n  \nname,price\nLamp,5\n"), ["Lamp 5 USD 1"])
  }

  @Test func `rows with too few or too many cells are named, and the others come`() throws {
    try expect(
      readTable("name,price,stock\nLamp,5,1\nDesk,6\nChair,1,250,3\nBed,7,2,,\nSofa,8,1\n"),
      [
        "Lamp 5 USD 1", "line 3: 2 columns, unlike the first line",
        "line 4: 4 columns, unlike the first line", "Bed 7 USD 2", "Sofa 8 USD 1",
      ])
  }

  @Test func `a very long cell costs its row, a long one does not`() throws {
    let long = String(repeating: "글", count: 100_000)
    let rows = try readTable("name,price,description\nA,5,\(long)\nB,5,\(long)글\nC,5,x\n")

    #expect(rows[0].hasPrefix("A 5 USD 1 “글") && rows[2] == "C 5 USD 1 “x”")
    #expect(rows[1].hasPrefix("line 3: description: "))
  }

  @Test func `Square, Magento and Google name what is left in their ways`() throws {
    try expect(
      readTable("Item Name,Variation Name,Price,Current Quantity\nTea,Loose,6.75,-2\nPot,,20,3\n"),
      ["Tea 6.75 USD 0", "Pot 20 USD 3"])
    try expect(
      readTable(
        "sku,name,price,qty,is_in_stock,status\nM1,Watch,92.0000,,0,Enabled\nM2,Clock,5,1,1,Disabled\n"
      )
      .map { $0.prefix(24) },
      ["Watch 92 USD 0", "line 3: status: “Disable"].map { $0.prefix(24) })
    try expect(
      readTable("title,price,availability\nTent,199.00 USD,out of stock\nMat,20 USD,in stock\n"),
      ["Tent 199 USD 0", "Mat 20 USD 1"])
  }
}
