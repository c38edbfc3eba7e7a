import Expectations
import MarketModel
import Testing

@testable import MarketTransfer

/// Tables of other programs, in the shapes that are found in public: each comes as its owner expects, or
/// one sentence says what to do.
struct WorldTableTests {
  private struct Table: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    let rows: [String]
    var currency = Currency.usd

    init(_ name: String, _ text: String, _ rows: [String], currency: Currency = .usd) {
      (testDescription, self.text, self.rows, self.currency) = (name, text, rows, currency)
    }
  }

  private static let tables: [Table] = [
    Table(
      "pandas with an index",
      ",product_name,price,quantity\n0,Desk lamp,34.0,2.0\n1,Bookend,8.5,nan\n2,Globe,120.0,1.0\n",
      ["Desk lamp 34 USD 2", "Bookend 8.5 USD 1", "Globe 120 USD 1"]),
    Table(
      "MySQL with NULL",
      "\"id\"\t\"title\"\t\"body\"\t\"price\"\t\"qty\"\n\"7\"\t\"Kettle\"\tNULL\t\"25.00\"\tNULL\n",
      ["Kettle 25 USD 1"]),
    Table(
      "MySQL with \\N", "title\tprice\tstock\nPan\t30\t\\N\n", ["Pan 30 USD 1"]),
    Table(
      "PostgreSQL with booleans",
      "name,price,reserved\nChair,18,t\nStool,12,f\n",
      ["Chair 18 USD 1 reserved", "Stool 12 USD 1"]),
    Table(
      "Excel in German",
      "sep=;\r\nTitle;Price;Quantity\r\nHocker;\"1.250,00\";4\r\nRegal;89,90;\r\n",
      ["Hocker 1250 USD 4", "Regal 89.9 USD 1"]),
    Table(
      "Excel in Korean",
      "상품명,정가,판매가,수량,등록일\r\n머그컵,\"15,000\",\"12,000\",10,2026-11-20 3:04\r\n접시,,\"9,000원\",,\r\n",
      ["머그컵 15000-3000 KRW 10", "접시 9000 KRW 1"], currency: .krw),
    Table(
      "Google Sheets", "Item name,Price ,Condition ,Location\nBike,$350.00,Like New,Seoul\n",
      ["Bike 350 USD 1 like-new Seoul"]),
    Table(
      "Google Merchant",
      "id\ttitle\tdescription\tlink\timage_link\tcondition\tprice\tsale_price\tavailability\n"
        + "SKU-9\tTent\tFor two\thttps://s.example/9\thttps://s.example/9.jpg\tnew\t199.00 USD\t149.00 USD\tin stock\n",
      ["Tent 199-50 USD 1 new “For two” https://s.example/9.jpg"]),
    Table(
      "Facebook catalogue",
      "id,title,description,availability,condition,price,link,image_link,brand\n"
        + "a1,Sneaker,Size 42,in stock,used,\"45.00 USD\",https://f.example/a1,https://f.example/a1.png,Ace\n",
      ["Sneaker 45 USD 1 good “Size 42” https://f.example/a1.png"]),
    Table(
      "Cafe24",
      "상품코드,상품명,상품 상세설명,소비자가,판매가,재고수량\nP0001,린넨 셔츠,<p>여름 셔츠</p>,59000.00,39000.00,12\n",
      ["린넨 셔츠 59000-20000 KRW 12 “여름 셔츠”"], currency: .krw),
    Table(
      "Magento",
      "sku,name,description,price,special_price,qty,image\nM1,Watch,\"<div>Steel</div>\",92.0000,80.00,12.0000,/w/b/w.jpg\n",
      ["Watch 92-12 USD 12 “Steel”"]),
    Table(
      "Square",
      "Item Name,Description,Price,Current Quantity\nTea,\"Green, loose\",6.75,\n",
      ["Tea 6.75 USD 1 “Green, loose”"]),
    Table(
      "BigCommerce",
      "Product Type,Product Title,Product Description,List Price,Price,Stock Quantity\nP,Rug,<h1>Rug</h1><p>Wool</p>,300,240,5\n",
      ["Rug 300-60 USD 5 “Rug\nWool”"]),
    Table(
      "quotes everywhere and a byte order mark",
      "\u{FEFF}\"Product\",\"Unit Price\",\"Qty\"\n\"Nail, 50 mm\",\"0.05\",\"1,000\"\n",
      ["Nail, 50 mm 0.05 USD 1000"]),
    Table(
      "bars between columns", "name|price|category\nAtlas|22|Books\n", ["Atlas 22 USD 1 books"]),
    Table(
      "trailing commas and blank rows",
      "Title,Price,,\nVase,15,,\n,,,\n\n Bowl ,7,,\n", ["Vase 15 USD 1", " Bowl  7 USD 1"]),
    Table(
      "old line ends", "name,price\rClock,40\rBell,3\r", ["Clock 40 USD 1", "Bell 3 USD 1"]),
    Table(
      "guarded codes", "SKU,Title,Price\n=\"007\",=\"0815\",=\"9.50\"\n", ["0815 9.5 USD 1"]),
    Table(
      "prices of two currencies", "title,price\nStamp,₩500\nCoin,$12\n",
      ["Stamp 500 KRW 1", "Coin 12 USD 1"]),
    Table(
      "categories of a path",
      "name,price,category\nHoodie,30,\"Clothing > Hoodies\"\nNovel,9,Books > Fiction\nTruck,5,Vehicles\n",
      [
        "Hoodie 30 USD 1 clothing", "Novel 9 USD 1 books",
        "line 4: category: “Vehicles” is none of electronics, computers, furniture, kitchen, clothing, "
          + "beauty, sports, outdoors, books, music, toys, baby, pets, tools, other; "
          + "--unknown-choices drop leaves the field out",
      ]),
    Table(
      "a discount of percent", "상품명,가격,할인\n의자,40000,10%\n책상,90000,0\n",
      ["의자 40000-4000 KRW 1", "책상 90000 KRW 1"], currency: .krw),
    Table(
      "a sale price of 0 is none", "name,price,sale price\nPen,2,0\nInk,4,5\n",
      ["Pen 2 USD 1", "Ink 4 USD 1", "line 3: sale_price: “5” is above the price and is left out"]),
  ]

  @Test(arguments: tables)
  private func `tables come as their owners expect`(_ table: Table) throws {
    try expect(readTable(table.text, currency: table.currency), table.rows)
  }
}
