package import MarketModel
package import SafeTextKit

/// A product's detail with its foreign texts made drawable once, when it arrived.
package struct LoadedDetail: Hashable, Sendable {
  package let product: ListedProduct
  /// The description's lines as the seller broke them, not yet wrapped.
  package let paragraphs: [SafeText]
  package let pictures: [Picture]
  package let version: ProductVersion?
  /// How the seller wants to be reached; nil where nothing is said.
  package let contact: SafeText?
  /// All that a seller said of it.
  package let values: FieldValues
  package let questionCount: Int
  /// Whether its seller takes no more questions about it.
  package let areQuestionsClosed: Bool

  package init(_ detail: ProductDetail) {
    product = ListedProduct(detail.product)
    paragraphs = SafeText.lines(detail.description)
    pictures = detail.pictures
    version = detail.version
    contact = detail.product.seller.contact.map { SafeText($0.text) }
    values = detail.fieldValues
    questionCount = detail.questionCount
    areQuestionsClosed = detail.areQuestionsClosed
  }
}

/// The description of a detail in lines of some width, kept because frame after frame asks for the same.
struct WrappedText {
  let lines: [SafeText]
  let links: [LinkSpans.Span]
  private let detail: LoadedDetail
  private let columns: Int

  init(_ detail: LoadedDetail, columns: Int) {
    self.detail = detail
    self.columns = columns
    lines = detail.paragraphs.flatMap { $0.wrapped(toColumns: columns) }
    links = LinkSpans.spans(in: detail.paragraphs, wrappedTo: columns)
  }

  func isOf(_ detail: LoadedDetail, columns: Int) -> Bool {
    self.columns == columns && self.detail == detail
  }
}
