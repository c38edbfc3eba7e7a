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

  private static let nameColumns = 400
  /// Bytes that the text may take in HTML.
  private static let textBytes = 40 << 10

  package init(_ detail: ProductDetail, _ setting: PageContext) {
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
