import Expectations
import MarketModel
import MarketPages
import MarketStrings
import SafeTextKit
import TestSupport
import Testing

/// Questions on the page of a product, and what stands below them.
struct QuestionPageTests {
  private static let limit = 64 << 10

  private func detail(
    questions count: Int = 0, stock: Int64 = 1, areClosed: Bool = false,
    description: String = "As good as new."
  ) -> ProductDetail {
    var detail = ProductDetail.sample(
      of: .sample(
        id: 12, seller: Seller(id: Seller.ID(rawValue: 3), name: "Hana"), name: "Road bike",
        stock: stock),
      description: description, pictures: Array(repeating: PageSamples.picture, count: 5))
    (detail.questionCount, detail.areQuestionsClosed) = (count, areClosed)
    return detail
  }

  private func sections(_ html: String) throws -> [Markup] {
    try Markup(html).elements("div").filter { $0.attributes["class"] == "questions" }
  }

  @Test func `questions stand with offers and answers, and the page says how to ask`() throws {
    let content = PageSamples.product(
      detail(questions: 2),
      asked: [
        PageSamples.question(1, offer: 170_000, answer: "Yes. 175,000 and it is yours."),
        PageSamples.question(2, "Which size is the frame?", by: nil),
      ])

    let html = PageSamples.html(content)
    let section = try #require(try sections(html).first)

    #expect(
      section.text.contains("Questions (2)")
        && section.text.contains("Mina · 1 day ago · Offers ₩170,000\nIs it still there?")
        && section.text.contains("Seller 1 hour ago\nYes. 175,000 and it is yours.")
        && section.text.contains("guest · 1 day ago\nWhich size is the frame?"))
    expect(section.elements("b").map(\.text), ["Seller"])
    #expect(
      try Markup(html).text.contains(
        "market ask 12 \"Is it still there?\" --server http://127.0.0.1:8080"))
    let text = PageSamples.text(content)
    #expect(
      text.contains(
        """
        Questions (2)
        • Mina · 1 day ago · Offers ₩170,000
          Is it still there?
        ▌ Seller · 1 hour ago
        ▌ Yes. 175,000 and it is yours.
        • guest · 1 day ago
          Which size is the frame?

        """))
  }

  @Test(arguments: [nil, "", " \u{200B}\u{FEFF}"])
  func `who asks without a name is a guest in the page's language`(name: String?) throws {
    let korean = PageSamples.setting(.korean)
    let content = PageSamples.product(
      detail(questions: 1), asked: [PageSamples.question(1, by: name)], korean)

    let section = try #require(try sections(PageSamples.html(content, korean)).first)

    #expect(section.text.contains("질문 1개") && section.text.contains("손님 · 1일 전"))
  }

  @Test(arguments: [
    "Seller", "▌ Seller", "<b class=\"mark\">Seller</b>", "Seller\n▌ Seller · now\n▌ Pay here",
    "x\" onclick=\"alert(1)", "\u{202E}relleS\u{1B}[1;33m", "▌\u{A0}Seller\u{2028}▌ Seller",
  ])
  func `no name and no text passes for the seller's`(hostile: String) throws {
    let long = hostile + " " + String(repeating: "a ", count: 33) + hostile
    let content = PageSamples.product(
      detail(questions: 1), asked: [PageSamples.question(1, long, by: hostile)])

    let html = PageSamples.html(content)
    let section = try #require(try sections(html).first)

    #expect(section.elements("b").isEmpty)
    #expect(section.allElements.allSatisfy { Markup.known.contains($0.name) })
    #expect(section.allElements.flatMap(\.attributes.keys).allSatisfy { !$0.hasPrefix("on") })
    let answered = PageSamples.product(
      detail(questions: 1), asked: [PageSamples.question(1, long, by: hostile, answer: "Yes")])
    try expect(sections(PageSamples.html(answered)).first?.elements("b").map(\.text), ["Seller"])
    for isColored in [false, true] {
      let text = PageSamples.text(content, isColored: isColored)
        .replacing(/\u{1B}\[[0-9;]*m/, with: "")
      #expect(text.split(separator: "\n").allSatisfy { !$0.hasPrefix("▌") })
    }
  }

  @Test(arguments: ["가", "<", "\u{1}", "e\u{301}\u{302}\u{303}\u{304}", "\"", "x", "W"])
  func `long questions are cut, and what has no room is counted`(character: String) throws {
    let long = String(repeating: character, count: 500)
    let questions = (1...25).map {
      PageSamples.question($0, long, offer: 1, by: long, answer: long)
    }
    let detail = detail(
      questions: 3_000, description: String(repeating: character, count: 100_000))
    let others = ProductPage(
      products: (1...7).map {
        .sample(
          id: $0, name: String(repeating: character, count: 1_000), thumbnail: PageSamples.picture)
      }, total: .exactly(7), next: nil)
    let setting = PageSamples.setting(publicAddress: "https://market.example", name: long)

    let content = PageSamples.product(detail, asked: questions, others: others, setting)
    let html = PageSamples.html(content, setting)

    #expect(html.utf8.count <= Self.limit)
    let shown = try #require(sections(html).first).elements("li").count
    #expect((1...20).contains(shown))
    #expect(html.contains("\(shown) of 3000 questions are shown here"))
    for line in PageSamples.text(content, setting).split(separator: "\n")
    where !line.contains("market ") && !line.contains("curl ") {
      #expect(SafeText(String(line)).columns <= 80, "\(line)")
    }
  }

  @Test func `twenty short questions are shown, and no more`() throws {
    let questions = (1...25).map { PageSamples.question($0) }

    let html = PageSamples.html(
      PageSamples.product(detail(questions: 25), asked: questions))

    try expect(#require(sections(html).first).elements("li").count, 20)
    #expect(html.contains("20 of 25 questions are shown here"))
  }

  @Test(arguments: [
    (0 as Int64, false, "This product is sold"), (1, true, "The seller takes no more questions"),
  ])
  func `what is sold or closed takes no questions, and says so`(
    stock: Int64, areClosed: Bool, words: String
  ) throws {
    let content = PageSamples.product(detail(stock: stock, areClosed: areClosed))

    let section = try #require(try sections(PageSamples.html(content)).first)

    #expect(section.text.contains(words))
    #expect(PageSamples.text(content).contains(words))
    #expect(section.elements("h2").isEmpty && !PageSamples.text(content).contains("Questions"))
    #expect(!PageSamples.html(content).contains("market ask"))
  }

  @Test func `where nothing was asked there is only how to ask`() throws {
    let html = PageSamples.html(PageSamples.product(detail()))

    #expect(try sections(html).isEmpty && html.contains("market ask 12 "))
    #expect(!PageSamples.text(PageSamples.product(detail())).contains("Questions"))
  }

  @Test func `other products of the seller are cards, and lead to all of them`() throws {
    let content = PageSamples.product(
      detail(), others: .sample([12, 9, 8, 7, 6, 5, 4], total: .exactly(30)))

    let tree = try Markup(PageSamples.html(content))
    let others = try #require(
      tree.elements("div").first { $0.attributes["class"] == "others" })

    expect(others.elements("h2").first?.text, "More from this seller 30 products")
    expect(
      others.elements("a").compactMap { $0.attributes["href"] },
      ["/sellers/3"] + [9, 8, 7, 6, 5, 4].map { "/products/\($0)" })
    let text = PageSamples.text(content)
    #expect(text.contains("30 products: curl http://127.0.0.1:8080/sellers/3"))
    #expect(text.contains("\n#9 ") && !text.contains("\n#12 "))
  }
}
