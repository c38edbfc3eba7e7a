internal import MarketAPI
package import MarketModel
internal import MarketStrings
internal import SafeTextKit

/// Content of a product's page.
package struct ProductContent: Hashable, Sendable {
  let id: Product.ID
  let name: SafeText
  let pricing: Pricing
  let price: PagePrice
  /// Short facts: the stock if it is more than one, and additional fields.
  let facts: [SafeText]
  let seller: SafeText
  let sellerID: Seller.ID
  let contact: SafeText?
  let age: SafeText
  let created: Timestamp
  /// Description in lines, cut at the limit of the page.
  let lines: [SafeText]
  /// Whether the description continues after `lines`.
  let isCut: Bool
  let pictures: [Picture]
  /// Heading of the questions; nil if there are none.
  let questionsTitle: SafeText?
  /// First questions, as far as they fit the page.
  let questions: [QuestionContent]
  /// Notes that more questions exist than are shown, and that no further ones are accepted.
  let questionNotes: [SafeText]
  let takesQuestions: Bool
  /// Some other products of the seller, out of `othersCount`.
  let others: [PageCard]
  let othersCount: SafeText

  private static let nameColumns = 400
  /// Maximum number of other products of the seller on a page.
  package static let maxOthers = 6
  /// Maximum bytes of description and questions in HTML; what exceeds it is cut.
  private static let textBytes = 30 << 10

  package init(
    _ detail: ProductDetail, asked: [Question] = [], others: ProductPage = .nothing,
    _ context: PageContext
  ) {
    let (product, strings) = (detail.product, context.strings)
    id = product.id
    name = SafeText(product.name).truncated(toColumns: Self.nameColumns)
    pricing = product.pricing
    price = PagePrice(product, strings)
    facts =
      [StockText.fact(product, strings)].compactMap(\.self)
      + AdditionalFields.text(of: detail.fieldValues, strings)
    seller = SafeText(product.seller.name)
    sellerID = product.seller.id
    contact = product.seller.contact.map { strings(.sellerContact, SafeText($0.text)) }
    created = product.created
    let day = SafeText(WireDate.day(product.created, in: context.timeZone))
    age = AgeText.text(product.created, now: context.now, strings) + " (" + day + ")"
    var left = Self.textBytes
    questions = QuestionContent.beginning(of: asked, within: &left, context)
    (lines, isCut) = Self.lines(of: detail.description, within: left, strings)
    pictures = detail.picturesOrThumbnail
    let count = detail.questionCount
    questionsTitle = count > 0 ? strings.counted(.questionsCount, count) : nil
    let isLess = questions.count < count
    let refusal = Question.refusal(about: detail, by: nil)
    takesQuestions = refusal == nil
    questionNotes =
      (isLess ? [strings(.pageMoreQuestions, SafeText(questions.count), SafeText(count))] : [])
      + (refusal.map { [ErrorText.text(.questionRefused($0), strings)] } ?? [])
    self.others = others.products.filter { $0.id != product.id }.prefix(Self.maxOthers)
      .map { PageCard($0, context) }
    othersCount = ListContent.count(others.total, strings) ?? .empty
  }

  /// Beginning of a description that fits a number of bytes in HTML.
  private static func lines(
    of text: String, within bytes: Int, _ strings: Strings
  ) -> (lines: [SafeText], isCut: Bool) {
    guard !text.isEmpty else { return ([strings[.noDescription]], false) }
    var left = bytes
    let beginning = text.unicodeScalars.prefix { scalar in
      left -= UTF8.width(scalar)
      return left >= 0
    }
    var isCut = beginning.endIndex < text.unicodeScalars.endIndex
    left = bytes
    var lines: [SafeText] = []
    for line in SafeText.lines(String(beginning)) {
      let size = HTML("\(line)\n").bytes.count
      guard size <= left else {
        lines.append(line.prefix(columns: left / maxBytesOfColumn))
        isCut = true
        break
      }
      lines.append(line)
      left -= size
    }
    return (lines, isCut)
  }

  /// Bytes of a character with four combining marks.
  private static let maxBytesOfColumn = 20
}
