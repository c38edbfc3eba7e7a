import MarketModel
import MarketPages
import MarketStrings
import SafeTextKit
import TestSupport

/// Pages of sample products as text.
enum PageSamples {
  static let now = Timestamp(seconds: 1_700_100_000)
  static let picture = Picture(original: "aa11", thumbnail: "aa11")

  static func setting(
    _ language: Language = .english, publicAddress: String? = nil, guests: GuestAddress? = nil,
    name: String? = nil
  ) -> PageContext {
    let site = PageSite(
      publicAddress: publicAddress, asked: "http://127.0.0.1:8080", guests: guests,
      name: name)
    return PageContext(site, Strings(language), now: now)
  }

  static func list(
    _ products: [Product], line: String = "", after: String? = nil, next: String? = nil,
    total: ProductTotal? = nil, unknown: [String] = [], _ setting: PageContext = setting()
  ) -> PageContent {
    let page = ProductPage(
      products: products, total: total ?? .exactly(products.count),
      next: next.map { .after(PageCursor(rawValue: $0)) })
    let cursor = after.map { PageCursor(rawValue: $0) }
    let list = ListContent(
      of: page, line: line, SearchRequest(reading: line), after: cursor, unknown: unknown, setting)
    return PageContent(.list(list), at: .list(line: line, after: cursor))
  }

  static func product(
    _ detail: ProductDetail, asked questions: [Question] = [], others: ProductPage = .nothing,
    _ setting: PageContext = setting()
  ) -> PageContent {
    let product = ProductContent(detail, asked: questions, others: others, setting)
    return PageContent(.product(product), at: .product(detail.id))
  }

  /// A question about product 12, a day before the page.
  static func question(
    _ id: Int64 = 1, _ text: String = "Is it still there?", offer: Int64? = nil,
    by asker: String? = "Mina", answer: String? = nil
  ) -> Question {
    Question(
      id: Question.ID(rawValue: id), product: Product.ID(rawValue: 12), text: text,
      offer: offer.map { Money(hundredths: $0 * 100, currency: .krw) }, asker: asker,
      asked: Timestamp(seconds: now.seconds - 86_400),
      answer: answer.map {
        Question.Answer(text: $0, given: Timestamp(seconds: now.seconds - 3_600))
      })
  }

  static func html(_ content: PageContent, _ setting: PageContext = setting()) -> String {
    String(decoding: HTMLPage(content, setting).bytes, as: UTF8.self)
  }

  static func text(
    _ content: PageContent, _ setting: PageContext = setting(), isColored: Bool = false,
    pictures: [Picture: BlockPicture] = [:]
  ) -> String {
    let page = TerminalPage(content, setting, pictures: pictures)
    return String(decoding: page.bytes(isColored: isColored), as: UTF8.self)
  }
}
