import Expectations
import MarketModel
import MarketPages
import MarketStrings
import TestSupport
import Testing

struct HTMLPageTests {
  private static let hostile = "</script><img src=x onerror=alert(1)>\"'&\u{202E}\u{1B}[31m\u{0}"
  private static let limit = 64 << 10

  @Test func `a card says what a card of the program says`() throws {
    let product = Product.sample(
      id: 12, name: "Road bike", price: 240_000, discount: 60_000, stock: 1,
      thumbnail: PageSamples.picture)

    let html = PageSamples.html(PageSamples.list([product]))
    let tree = try Markup(html)

    let card = try #require(tree.elements("a").first { $0.attributes["class"] == "card" })
    expect(card.attributes["href"], "/products/12")
    expect(card.text, "Road bike₩180,000 ₩240,000 25%1 day ago")
    expect(card.elements("img").first?.attributes["src"], "/pictures/aa11/thumbnail")
    expect(
      tree.elements("span").first { $0.attributes["class"] == "place" }?.text,
      "127.0.0.1:8080 · 1 product")
  }

  @Test func `names and texts have their own direction`() throws {
    var detail = ProductDetail.sample(
      of: .sample(
        id: 12, seller: Seller(id: Seller.ID(rawValue: 3), name: "דנה"), name: "שולחן (חדש) 2024!",
        thumbnail: PageSamples.picture))
    detail.description = "במצב טוב (כמעט)."
    let product = PageContent(
      .product(
        ProductContent(
          detail,
          asked: [.sample(4, about: 12, "יש עוד?", by: "מינה")], PageSamples.setting())),
      at: .product(detail.id))

    let html = PageSamples.html(product)
    let list = PageSamples.html(PageSamples.list([detail.product]))

    for part in [
      "<h1 dir=\"auto\">שולחן", "<p class=\"text\" dir=\"auto\">במצב", "<bdi>דנה</bdi>",
      "<bdi>שולחן", "<p class=\"text\" dir=\"auto\">יש", "<bdi>מינה</bdi>",
    ] { #expect(html.contains(part), "\(part)") }
    #expect(list.contains("<span class=\"name\" dir=\"auto\">שולחן"))
  }

  @Test func `the search line stands in its field, and filters and orders lead on from it`() throws
  {
    let html = PageSamples.html(
      PageSamples.list([.sample()], line: "bike <200000 sale", next: "c/1"))
    let tree = try Markup(html)

    let links = tree.elements("a").compactMap { $0.attributes["href"] }
    expect(tree.elements("input").first?.attributes["value"], "bike <200000 sale")
    #expect(links.contains("/?q=bike%20%3C200000"))
    #expect(
      links.contains("/?q=bike%20%3C200000%20stock%20sale")
        || links.contains("/?q=bike%20%3C200000%20sale%20stock"))
    #expect(links.contains("/?q=bike%20%3C200000%20sale%20sort%3Aprice-asc"))
    #expect(links.contains("/?q=%3C200000%20sale"))
    #expect(links.contains("/?q=bike%20%3C200000%20sale&after=c%2F1"))
    #expect(html.contains("<meta name=\"robots\" content=\"noindex\">"))
  }

  @Test func `a page of Korean speaks Korean, keywords too`() throws {
    let setting = PageSamples.setting(.korean)
    let html = PageSamples.html(
      PageSamples.list([.sample(stock: 0)], line: "sale", setting), setting)

    #expect(html.contains("<html lang=\"ko\">") && html.contains("판매 완료"))
    #expect(html.contains("href=\"/?q=%ED%95%A0%EC%9D%B8%20%EC%A0%95%EB%A0%AC"))
  }

  @Test func `a product shows all that is known of it`() throws {
    let seller = Seller(
      id: Seller.ID(rawValue: 3), name: "Hana", contact: SellerContact("hana@market.example"))
    let pictures = ["aa", "bb"].map { Picture(original: $0, thumbnail: $0) }
    let detail = ProductDetail.sample(
      of: .sample(id: 12, seller: seller, name: "Road bike", stock: 0),
      description: "First line.\n\n  Third line.", pictures: pictures)

    let tree = try Markup(PageSamples.html(PageSamples.product(detail)))

    let article = try #require(tree.elements("article").first)
    #expect(
      article.text.contains("Sold\n1 day ago (2023-11-14)Hana · Contact: hana@market.example"))
    expect(
      article.elements("p").first { $0.attributes["class"] == "text" }?.text,
      "First line.\n\n  Third line.")
    expect(article.elements("img").map { $0.attributes["src"] }, ["/pictures/aa", "/pictures/bb"])
    #expect(article.elements("a").compactMap { $0.attributes["href"] }.contains("#picture-2"))
    #expect(article.elements("a").compactMap { $0.attributes["href"] }.contains("/sellers/3"))
    #expect(tree.text.contains("market open http://127.0.0.1:8080/products/12"))
    #expect(tree.text.contains("market --server http://127.0.0.1:8080"))
  }

  @Test func `what is reserved or sold says so, and what it is stands in one line`() throws {
    var bike = Product.sample(id: 12, name: "Bike", price: 240_000, discount: 60_000, stock: 1)
    (bike.category, bike.condition, bike.place) = (.sports, .good, "<b>Seoul</b>, Mapo")
    bike.isReserved = true
    let sold = Product.sample(id: 3, name: "Cup", price: 12_000, stock: 0)

    let list = PageSamples.html(PageSamples.list([bike, sold], line: "cond:used near:Seoul"))
    let page = PageSamples.html(PageSamples.product(.sample(of: bike)))
    let text = PageSamples.text(PageSamples.list([bike, sold]))

    let cards = try Markup(list).elements("a").filter {
      $0.attributes["class"]?.hasPrefix("card") == true
    }
    expect(
      cards.map(\.text),
      [
        "No photoBike₩180,000 ₩240,000 ReservedGood · <b>Seoul</b>, Mapo1 day ago",
        "No photoCupSold1 day ago",
      ])
    expect(cards.map { $0.attributes["class"] }, ["card", "card sold"])
    #expect(list.contains(">used") && list.contains(">near Seoul"))
    let article = try #require(try Markup(page).elements("article").first)
    #expect(article.text.contains("Reserved ₩180,000 ₩240,000 25%"))
    #expect(article.text.contains("Sports · Good · <b>Seoul</b>, Mapo · 1 day ago (2023-11-14)"))
    #expect(
      PageSamples.text(PageSamples.product(.sample(of: bike))).contains(
        "\n[Reserved]  ₩180,000 (₩240,000) 25%\nSports · Good · <b>Seoul</b>, Mapo · 1 day ago"))
    #expect(text.contains(" ₩180,000  Reserved   1 day ago") && text.contains(" Sold  "))
  }

  @Test func `a hostile market injects nothing`() throws {
    let seller = Seller(
      id: Seller.ID(rawValue: 3), name: Self.hostile, contact: SellerContact("\" onclick='x'><b>"))
    let picture = Picture(original: "x\" onerror=\"y", thumbnail: "javascript:alert(1)")
    var product = Product.sample(
      seller: seller, name: Self.hostile,
      currency: Currency(rawValue: "<b>"), thumbnail: picture)
    product.place = Self.hostile
    let setting = PageSamples.setting(publicAddress: "https://market.example")
    let contents = [
      PageSamples.list(
        [product], line: Self.hostile, after: Self.hostile, next: Self.hostile,
        unknown: [Self.hostile], setting),
      PageSamples.product(.sample(of: product, description: Self.hostile), setting),
    ]

    for content in contents {
      let html = PageSamples.html(content, setting)
      let tree = try Markup(html)

      #expect(tree.allElements.allSatisfy { Markup.known.contains($0.name) })
      #expect(tree.allElements.flatMap(\.attributes.keys).allSatisfy { !$0.hasPrefix("on") })
      for address in tree.allElements.flatMap({ [$0.attributes["href"], $0.attributes["src"]] })
        .compactMap(\.self)
      {
        #expect(
          address.hasPrefix("/") || address.hasPrefix("#")
            || address.hasPrefix("https://market.example/")
            || address.hasPrefix("https://schema.org/"), "\(address)")
      }
      #expect(!html.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0 == "\u{202E}" })
    }
  }

  @Test(arguments: ["가", "<", "\u{1}", "e\u{301}\u{302}\u{303}\u{304}", "\"", "x"])
  func `no page is larger than 64 KB, however long texts are`(character: String) {
    let name = String(repeating: character, count: 1_000)
    let setting = PageSamples.setting(publicAddress: "https://market.example")
    let products = (1...24).map {
      Product.sample(id: $0, name: name, thumbnail: PageSamples.picture)
    }
    let line = String(repeating: character + " ", count: 100)
    let list = PageSamples.list(
      products, line: line, next: String(repeating: "c", count: 200), setting)
    let detail = ProductDetail.sample(
      of: products[0], description: String(repeating: character, count: 100_000),
      pictures: Array(repeating: PageSamples.picture, count: 5))

    #expect(PageSamples.html(list, setting).utf8.count <= Self.limit)
    #expect(
      PageSamples.html(PageSamples.product(detail, setting), setting).utf8.count <= Self.limit)
  }

  @Test func `a description that is cut says where all of it is`() {
    let detail = ProductDetail.sample(
      of: .sample(id: 5), description: String(repeating: "long text\n", count: 9_000))

    let html = PageSamples.html(PageSamples.product(detail))

    #expect(html.contains("<a href=\"/api/products/5\">JSON</a>"))
  }

  @Test func `other sites are told of a product only where the operator has said an address`()
    throws
  {
    let detail = ProductDetail.sample(
      of: .sample(id: 12, price: 240_000, discount: 60_000), description: "Like \"new\".",
      pictures: [PageSamples.picture])
    let setting = PageSamples.setting(publicAddress: "https://market.example/shop/")

    let bare = PageSamples.html(PageSamples.product(detail))
    let full = PageSamples.html(PageSamples.product(detail, setting), setting)

    for word in ["canonical", "og:", "schema.org", "itemprop"] {
      #expect(!bare.contains(word) && full.contains(word))
    }
    let tree = try Markup(full)
    let address = "https://market.example/shop/products/12"
    expect(
      tree.elements("link").first { $0.attributes["rel"] == "canonical" }?.attributes["href"],
      address)
    expect(tree.property("og:image"), "https://market.example/shop/pictures/aa11")
    #expect(tree.item("price") == "180000" && tree.item("priceCurrency") == "KRW")
    expect(tree.item("description"), "Like \"new\".")
    #expect(full.contains("href=\"/shop/style.css?"))
  }

  @Test func `guests are told how to come in, and by which key the host is known`() throws {
    let key = "SHA256:" + String(repeating: "a", count: 43)
    let setting = PageSamples.setting(guests: GuestAddress("market.example:2222,\(key)"))

    let tree = try Markup(PageSamples.html(PageSamples.list([]), setting))

    #expect(tree.text.contains("ssh -p 2222 market@market.example"))
    #expect(tree.text.contains("Host key \(key)"))
  }

  @Test func `nothing runs on a page, and nothing changes the market`() throws {
    let tree = try Markup(PageSamples.html(PageSamples.list([.sample()])))

    #expect(tree.elements("script").isEmpty && tree.elements("style").isEmpty)
    #expect(tree.elements("form").allSatisfy { $0.attributes["method"] == nil })
    #expect(tree.allElements.allSatisfy { $0.attributes["style"] == nil })
  }

  @Test func `a market's name stands in title, bar and previews, and its address without one`()
    throws
  {
    let named = PageSamples.setting(publicAddress: "https://market.example", name: Self.hostile)
    let plain = PageSamples.setting(publicAddress: "https://market.example")
    let list = { (setting: PageContext) in
      try Markup(PageSamples.html(PageSamples.list([.sample()], setting), setting))
    }

    let (with, without) = (try list(named), try list(plain))

    let title = try #require(with.elements("title").first?.text)
    #expect(title.hasPrefix("OpenMarket · </script><img src=x"))
    expect(with.property("og:site_name"), String(title.dropFirst(13)))
    expect(
      with.elements("span").first { $0.attributes["class"] == "place" }?.text
        .hasPrefix("</script><img"), true)
    #expect(with.allElements.allSatisfy { Markup.known.contains($0.name) })
    expect(without.elements("title").first?.text, "OpenMarket · market.example")
    expect(without.property("og:site_name"), "OpenMarket")
    #expect(
      PageSamples.text(PageSamples.list([], named), named)
        .hasPrefix("OpenMarket  </script><img src=x onerror=alert(1)>"))
  }

  @Test func `a link to a list shows how much there is, and the first picture`() throws {
    let setting = PageSamples.setting(publicAddress: "https://market.example")
    let products = [
      Product.sample(id: 9, name: "Road bike"),
      .sample(id: 8, name: "\"Helmet\"", thumbnail: PageSamples.picture),
    ]

    let tree = try Markup(PageSamples.html(PageSamples.list(products, setting), setting))
    let empty = try Markup(PageSamples.html(PageSamples.list([], setting), setting))

    expect(tree.property("og:image"), "https://market.example/pictures/aa11")
    expect(tree.property("og:description"), "2 products · Road bike, \"Helmet\"")
    expect(
      tree.elements("meta").first { $0.attributes["name"] == "description" }?.attributes["content"],
      tree.property("og:description"))
    #expect(empty.property("og:image") == nil && empty.property("og:type") == "website")
    #expect(!PageSamples.html(PageSamples.list(products)).contains("og:"))
  }
}
