internal import MarketAPI
package import MarketModel
internal import MarketStrings
internal import SafeTextKit

/// Product with everything that its page shows.
package struct ProductContent: Hashable, Sendable {
  let id: Product.ID
  let name: SafeText
  let pricing: Pricing
  let price: PagePrice
  /// What is said of it in a few words: stock where it is more than one, and further fields.
  let facts: [SafeText]
  let seller: SafeText
  let sellerID: Seller.ID
  let contact: SafeText?
  let age: SafeText
  let created: Timestamp
  /// The text in lines; what is longer than a page may be ends early.
  let lines: [SafeText]
  /// Whether there is more of the text than stands in `lines`.
  let isCut: Bool
  let pictures: [Picture]
  /// The first ones that fit the page, of `questionCount`.
  let questions: [PageQuestion]
  let questionCount: Int
  /// Why nothing is asked about it any more; nil where it may be.
  let refusal: SafeText?
  /// Some other products of its seller, of as many as `othersCount` says.
  let others: [PageCard]
  let othersCount: SafeText

  private static let nameColumns = 400
  private static let maxOthers = 6
  /// Bytes that the text may take in HTML.
  private static let textBytes = 32 << 10

  /// The query for the seller's other products, one more than is shown; nil where that is anybody.
  package static func others(of detail: ProductDetail) -> PageRequest? {
    let seller = detail.product.seller.id
    guard seller != Seller.guest.id else { return nil }
    return PageRequest(query: ProductQuery(sellers: [seller]), size: maxOthers + 1)
  }

  package init(
    _ detail: ProductDetail, asked: [Question] = [], others: ProductPage = .nothing,
    _ setting: PageContext
  ) {
    let (product, strings) = (detail.product, setting.strings)
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
    let day = SafeText(WireDate.day(product.created, in: setting.timeZone))
    age = AgeText.text(product.created, now: setting.now, strings) + " (" + day + ")"
    (lines, isCut) = Self.lines(of: detail.description, strings)
    pictures = detail.picturesOrThumbnail
    questions = PageQuestion.beginning(of: asked, setting)
    questionCount = detail.questionCount
    refusal = Question.refusal(about: detail, by: nil)
      .map { ErrorText.text(.questionRefused($0), strings) }
    self.others = others.products.filter { $0.id != product.id }.prefix(Self.maxOthers)
      .map { PageCard($0, setting) }
    othersCount = ListContent.count(others.total, strings) ?? .empty
  }

  /// The beginning of a text that fits a page, however much its characters take in HTML.
  private static func lines(
    of text: String, _ strings: Strings
  ) -> (lines: [SafeText], isCut: Bool) {
    guard !text.isEmpty else { return ([strings[.noDescription]], false) }
    var left = textBytes
    let beginning = text.unicodeScalars.prefix { scalar in
      left -= UTF8.width(scalar)
      return left >= 0
    }
    var isCut = beginning.endIndex < text.unicodeScalars.endIndex
    left = textBytes
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

  /// A character with four marks.
  private static let maxBytesOfColumn = 20
}

// What pages say about questions, in whatever form.
extension ProductContent {
  func questionsTitle(_ strings: Strings) -> SafeText {
    strings(.pageQuestions, SafeText(questionCount))
  }

  /// That there are more questions than are shown, and that no more are taken.
  func questionNotes(_ strings: Strings) -> [SafeText] {
    let isCut = questions.count < questionCount
    return [
      isCut ? strings(.pageMoreQuestions, SafeText(questions.count), SafeText(questionCount)) : nil,
      refusal,
    ].compactMap(\.self)
  }
}
