package import MarketModel
package import SafeTextKit

/// Detail of a product, with its foreign texts made safe to draw once, on arrival.
package struct LoadedDetail: Hashable, Sendable {
  package let product: ListedProduct
  /// Paragraphs of the description, not wrapped.
  package let paragraphs: [SafeText]
  package let pictures: [Picture]
  package let version: ProductVersion?
  /// Contact of the seller; nil if there is none.
  package let contact: SafeText?
  /// Values of all fields.
  package let values: FieldValues
  package let questionCount: Int
  /// Whether the seller accepts no more questions.
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

/// Wrapped description of a detail, kept because each frame needs the same.
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
