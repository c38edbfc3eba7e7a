import Expectations
import MarketModel
import Testing

@testable import MarketTransfer

/// Tables as five shops export them, with the headings that each has.
struct ShopTableTests {
  @Test func `rows of one handle of Shopify are one product`() throws {
    let table = """
      Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Qty,Variant Price,Variant Compare At Price,Image Src,Status
      oak-stool,Oak stool,"<p>Solid oak.</p><ul><li>Oiled</li><li>45&nbsp;cm</li></ul>",Hearth,Stools,"wood, oak",true,Size,S,OS-S,4,60.00,75.00,https://cdn.example/a.jpg?v=1,active
      oak-stool,,,,,,,,M,OS-M,2,70.00,,https://cdn.example/b.jpg?v=1,
      oak-stool,,,,,,,,L,OS-L,,80.00,,,
      tin-mug,Tin mug,,Hearth,Mugs,,true,Title,Default Title,TM,10,9.50,,,active
      """

    try expect(
      readTable(table),
      [
        "Oak stool 75-15 USD 6 “Solid oak.\n\n- Oiled\n- 45 cm” "
          + "https://cdn.example/a.jpg?v=1 https://cdn.example/b.jpg?v=1",
        "Tin mug 9.5 USD 10",
      ])
  }

  @Test func `WooCommerce has a regular price and one of a sale`() throws {
    let table = """
      ID,Type,SKU,Name,Published,Short description,Description,In stock?,Stock,Sale price,Regular price,Categories,Tags,Images
      44,simple,wool-1,Wool hat,1,Warm,"Knitted by hand.\\n",1,7,19,25,"Clothing > Hats, Sale",,"https://shop.example/hat.jpg, https://shop.example/hat-2.jpg"
      45,simple,wool-2,Wool scarf,1,,,1,,,32.50,Clothing,,
      46,simple,wool-3,Free pattern,1,,,1,3,,0,Books,,
      """

    try expect(
      readTable(table),
      [
        "Wool hat 25-6 USD 7 clothing “Knitted by hand.” "
          + "https://shop.example/hat.jpg https://shop.example/hat-2.jpg",
        "Wool scarf 32.5 USD 1 clothing", "Free pattern  USD 3 books",
      ])
  }

  @Test func `Etsy names the currency of each row`() throws {
    let table = """
      TITLE,DESCRIPTION,PRICE,CURRENCY_CODE,QUANTITY,TAGS,MATERIALS,IMAGE1,IMAGE2,IMAGE3,VARIATION 1 TYPE,SKU
      "Ring, silver","Made to order, size &quot;7&quot;.",48.00,USD,3,"ring,silver",silver,https://i.example/1.jpg,https://i.example/2.jpg,,,R7
      Print,Riso print,12000,KRW,20,,,,,,,
      Brooch,Old,20.00,EUR,1,,,,,,,
      """

    try expect(
      readTable(table),
      [
        "Ring, silver 48 USD 3 “Made to order, size \"7\".” "
          + "https://i.example/1.jpg https://i.example/2.jpg",
        "Print 12000 KRW 20 “Riso print”",
        "line 4: currency: “EUR” is none of KRW, USD",
      ])
  }

  @Test func `eBay stars its columns and numbers its conditions`() throws {
    let table = """
      *Action(SiteID=US|Country=US|Currency=USD|Version=1193),*Title,*Description,*StartPrice,*Quantity,*ConditionID,PicURL,*Format,*Location
      Add,Film camera,<b>Works</b> well,85.00,1,3000,https://p.example/1.jpg|https://p.example/2.jpg,FixedPrice,Portland
      Add,Lens cap,New old stock,4.99,12,1000,,FixedPrice,Portland
      Add,Radio,No sound,15,1,7000,,FixedPrice,
      """

    try expect(
      readTable(table),
      [
        "Film camera 85 USD 1 good Portland “Works well” "
          + "https://p.example/1.jpg https://p.example/2.jpg",
        "Lens cap 4.99 USD 12 new Portland “New old stock”", "Radio 15 USD 1 parts “No sound”",
      ])
  }

  @Test func `Naver has Korean headings`() throws {
    let table = """
      판매자 상품코드,상품명,상품상태,판매가,재고수량,대표이미지,추가이미지,상품 상세정보,브랜드
      A-1,무선 청소기,신상품,"159,000",30,https://img.example/v.jpg,,<div>가볍고<br>조용합니다</div>,한빛
      A-2,전기 주전자,중고상품,18000,2,kettle.jpg,,,
      """

    try expect(
      readTable(table, currency: .krw),
      [
        "무선 청소기 159000 KRW 30 new “가볍고\n조용합니다” https://img.example/v.jpg",
        "전기 주전자 18000 KRW 2 good",
      ])
  }

  @Test func `what a shop does not list is not imported`() throws {
    let table = """
      Handle,Title,Variant Price,Variant Inventory Qty,Published,Status
      a,Apron,10,-3,true,active
      a,,11,2,,
      b,Basket,0.00,,true,draft
      b,,,,,
      c,Cup,3,1,false,active
      d,Dish,4,1,true,archived
      """

    try expect(
      readTable(table),
      [
        "Apron 10 USD 2",
        "line 4 and 1 more row: status: “draft”, so its shop does not list it and it is not imported; "
          + "remove the column status to import it all the same",
        "line 6: published: “false”, so its shop does not list it and it is not imported; "
          + "remove the column published to import it all the same",
        "line 7: status: “archived”, so its shop does not list it and it is not imported; "
          + "remove the column status to import it all the same",
      ])
  }

  @Test func `the first price of a handle may stand in a later row`() throws {
    let table = """
      Handle,Title,Body (HTML),Variant Price,Variant Compare At Price,Image Src
      a,Apron,,,,https://c.example/1.jpg
      a,,Linen,12,15,https://c.example/2.jpg
      a,,,9,,
      b,Basket,,,,
      b,,,5 apples,,
      """

    try expect(
      readTable(table),
      [
        "Apron 15-3 USD 1 “Linen” https://c.example/1.jpg https://c.example/2.jpg",
        "line 6: price: “5 apples”: Not an amount, such as 12,000 or 12.50",
        "line 5: price: Required",
      ])
  }

  @Test func `WooCommerce says that nothing is left`() throws {
    let table = """
      Name,Published,In stock?,Stock,Sale price,Regular price,Description
      Hat,1,0,,,25,Wool\\nhat\\r\\nred
      Cap,1,0,4,,25,C:\\new
      Mug,1,1,,30,25,
      Pen,0,1,,,5,
      Ink,-1,1,,,5,
      """

    let rows = try readTable(table)
    expect(
      rows.prefix(4),
      [
        "Hat 25 USD 0 “Wool\nhat\nred”", "Cap 25 USD 4 “C:\\new”", "Mug 25 USD 1",
        "line 4: sale_price: “30” is above the price and is left out",
      ])
    #expect(rows.count == 6 && rows.suffix(2).allSatisfy { $0.contains(": published: “") })
  }

  @Test func `eBay numbers its categories, which are left out aloud`() throws {
    let rows = try readTable("*Title,*StartPrice,*Category\nCamera,85,31388\n")

    expect(rows[0], "Camera 85 USD 1")
    #expect(rows[1].hasPrefix("line 2: category: “31388” is left out, since it is none of "))
  }

  @Test func `what is wrong in a further row of a handle costs that row alone`() throws {
    let rows = [
      "Handle,Title,Variant Price,Variant Inventory Qty", "a,Apron,10,1", "a,,10,many", "a,,10,2",
      "b,Basket,5,1", "a,,10,4", "c,,8,1", "c,,8,1", ",Cup,3,1", ",Cup,3,1",
    ]
    var source = try TableSource(
      InputFile(of: Array(rows.joined(separator: "\n").utf8)), now: 0, currency: .usd)
    var counts: [Int] = []
    while let record = try source.next() { counts.append(record.rowCount) }

    try expect(
      readTable(rows.joined(separator: "\n")),
      [
        "line 3: stock: “many”: Not a whole number, such as 3",
        "Apron 10 USD 3",
        "line 6: handle: the rows of “a” are not one below the other; sort the table by its handle",
        "Basket 5 USD 1", "line 7 and 1 more row: name: Required", "Cup 3 USD 1", "Cup 3 USD 1",
      ])
    expect(counts.reduce(0, +), rows.count - 1)
  }
}
