import MarketAPI
import MarketModel
import TestSupport

/// Operations of all kinds, with texts and numbers that are awkward on the wire.
struct SampleOperations {
  private var random: SeededRandom

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
  }

  /// Operations that v1 has words for; it has none for fractions.
  mutating func items() -> [MarketOperation] {
    var discounted = patch()
    if let price = discounted.priceHundredths.map(whole) {
      discounted.priceHundredths = price
      discounted.discount = .priceToPay(whole(price / 3))
    } else {
      discounted.discount = Bool.random(using: &random) ? .priceToPay(whole(amount())) : nil
    }
    discounted.isInUnits = discounted.discount != nil
    if case .list(let elements) = discounted.pictures {
      discounted.pictures = .list(elements.filter { if case .new = $0 { true } else { false } })
      if discounted.pictures == .list([]) { discounted.pictures = nil }
    } else {
      discounted.pictures = nil
    }
    if discounted.isEmpty { discounted.stock = 1 }
    return [
      .page(PageRequest()), .page(PageRequest(position: .number(number()))), .detail(id()),
      .register(registration(of: whole(amount())), .guest, nil),
      .register(registration(of: whole(amount())), .guest, IdempotencyKey(rawValue: "k1")),
      .verify(id(), password(), .guest),
      .update(ProductUpdate(id: id(), patch: discounted, password: password(), author: .guest)),
      .delete(id(), password(), .guest),
    ]
  }

  /// Operations that v2 has words for.
  mutating func products(_ variant: ProductsDialect.Variant) -> [MarketOperation] {
    var patch = patch()
    if patch.isEmpty { patch.stock = 1 }
    let token = "k" + String(UInt64.random(in: 0...(.max), using: &random), radix: 36)
    return [
      .health, .page(PageRequest()), .page(page()), .page(page()), .detail(id()),
      .register(registration(of: amount()), author, IdempotencyKey(rawValue: token)),
      .register(registration(of: amount()), author, nil), .verify(id(), password(), author),
      .update(
        ProductUpdate(
          id: id(), patch: patch, password: password(), author: author,
          expected: Bool.random(using: &random) ? ProductVersion(rawValue: token) : nil)),
      .requestDeletion(id(), password(), author),
      .confirmDeletion(token: token, of: variant == .y2022 ? id() : nil, author),
      .seller(Wire.identifier), .changeSeller(Wire.identifier, SellerChange(name: text())),
      .picture(PictureAddress(locator: text(), rendition: .thumbnail)),
    ] + questions().map(MarketOperation.question) + reports()
  }

  /// Reports, whose texts keep their rules.
  private mutating func reports() -> [MarketOperation] {
    [
      .report(
        NewReport(
          .product(id()), .wrongCategory, text: "R" + text().filter(\.isLetter).prefix(100)), author
      ),
      .report(NewReport(.question(Question.ID(rawValue: amount())), .other), .guest),
    ]
  }

  /// Calls about questions, whose texts keep their rules.
  private mutating func questions() -> [QuestionOperation] {
    let question = Question.ID(rawValue: amount())
    func text(_ prefix: String, _ text: String) -> String {
      // The control characters that a question may not have.
      String((prefix + text.filter { $0 != "\0" && $0 != "\u{7F}" }).prefix(500))
    }
    let offer = Bool.random(using: &random) ? amount() + 1 : nil
    var received = QuestionsRequest(
      .received(onlyUnanswered: Bool.random(using: &random)), by: Wire.identifier, size: 7)
    received.after = PageCursor(rawValue: "17.4")
    return [
      .page(QuestionsRequest(.product(id()))),
      .page(
        QuestionsRequest(
          .product(id()), by: Wire.identifier, after: PageCursor(rawValue: "5.6"), size: 100)),
      .page(received), .page(QuestionsRequest(.asked, by: Wire.identifier)),
      .page(QuestionsRequest(.unanswered([id(), id()]))),
      .ask(
        NewQuestion(text: text("Q", self.text()), offerHundredths: offer), about: id(),
        by: Wire.identifier, IdempotencyKey(rawValue: "k1")),
      .ask(NewQuestion(text: text("Q", self.text())), about: id(), by: Wire.identifier, nil),
      .answer(question, NewAnswer(text: text("A", self.text())), author, nil),
      .answer(
        question, NewAnswer(text: text("A", self.text()), reserves: true), .guest, password()),
      .delete(question, author, nil), .delete(question, .guest, password()),
      .delete(question, author, password()),
    ]
  }

  private var author: Author { .seller(Wire.identifier) }

  private mutating func page() -> PageRequest {
    var query = ProductQuery()
    query.order = ProductOrder.allCases.randomElement(using: &random) ?? .newest
    for part in QueryPart.allCases where Bool.random(using: &random) { add(part, to: &query) }
    let position: PagePosition =
      Bool.random(using: &random)
      ? .number(number()) : .after(PageCursor(rawValue: text()))
    return PageRequest(
      query: query, position: position, size: Int.random(in: 1...1_000, using: &random))
  }

  private mutating func add(_ part: QueryPart, to query: inout ProductQuery) {
    switch part {
    case .words: query.text = text()
    case .phrases: query.phrases = [text(), text()]
    case .without: query.without = [text()]
    case .price: query.price = PriceRange(minimum: amount(), maximum: amount())
    case .choice(let field): query.choices[field] = [FieldSample[field].text]
    case .place: query.place = String(text().prefix(TextLimit.place.characters.upperBound))
    // One parameter says both.
    case .filter(.unreserved) where query.filters.contains(.reserved): break
    case .filter(let filter): query.filters.insert(filter)
    case .seller: query.sellers = [Seller.ID(rawValue: amount()), Seller.ID(rawValue: amount())]
    case .since:
      query.since = Timestamp(
        seconds: Int64.random(in: -62_135_596_800...253_402_300_799, using: &random))
    case .ids: query.ids = (0..<3).map { Product.ID(rawValue: amount() / 3 * 3 + $0) }
    }
  }

  private mutating func registration(of price: Int64) -> ProductRegistration {
    ProductRegistration(
      name: text(), description: text(),
      price: Money(hundredths: price, currency: Bool.random(using: &random) ? .krw : .usd),
      discountHundredths: Bool.random(using: &random) ? price / 400 * 100 : 0, stock: amount(),
      pictures: (0..<Int.random(in: 1...5, using: &random)).map { _ in file() },
      password: password())
  }

  private mutating func patch() -> ProductPatch {
    var patch = ProductPatch()
    if Bool.random(using: &random) { patch.name = text() }
    if Bool.random(using: &random) { patch.description = text() }
    if Bool.random(using: &random) { patch.priceHundredths = amount() }
    if Bool.random(using: &random) { patch.currency = .usd }
    if Bool.random(using: &random) { patch.discount = .amount(amount()) }
    if Bool.random(using: &random) { patch.stock = amount() }
    switch Int.random(in: 0...3, using: &random) {
    case 0: patch.pictures = .thumbnail(number: amount())
    case 1:
      patch.pictures = .list(
        [.new(file()), .kept(Picture(number: amount(), original: "", thumbnail: "")), .new(file())])
    case 2: patch.pictures = .list([.new(file())])
    default: break
    }
    return patch
  }

  private mutating func id() -> Product.ID { Product.ID(rawValue: amount()) }

  private mutating func number() -> Int { Int.random(in: 2...1_000_000, using: &random) }

  private mutating func amount() -> Int64 {
    let bits = Int.random(in: 0...62, using: &random)
    return Int64.random(in: 0...(1 << bits), using: &random)
  }

  private func whole(_ hundredths: Int64) -> Int64 { hundredths / 100 * 100 }

  private mutating func password() -> Password { Password(text()) }

  private mutating func file() -> [UInt8] {
    Wire.jpeg + (0..<20).map { _ in UInt8.random(in: 0...255, using: &random) } + [0x2D]
  }

  /// Text of one character or more, that neither begins nor ends with white space.
  private mutating func text() -> String {
    let pieces = [
      "a", "한글", "\"", "\\", "\n", "\r\n", "\u{0}", "\u{2028}", "😀", "&", "=", "+", "%", "/", "?",
      "#", " ", "--open-market-form-0", "é", "e\u{301}", "\u{7F}", "<b>", "\t",
    ]
    let inner = (0..<8).compactMap { _ in pieces.randomElement(using: &random) }.joined()
    return "x" + inner + "x"
  }
}
