package import MarketModel

/// List of the questions about the open product.
package final class QuestionsModel: ListModel {
  package let list = SectionedList<Never, Question>()
  private let detail: DetailModel
  private let product: Product.ID

  /// Number of items before the end at which the next page is read.
  private static let lead = 10

  private init(of product: Product.ID, in detail: DetailModel) {
    (self.product, self.detail) = (product, detail)
  }

  package static func open(on navigator: Navigator) {
    let detail = navigator.browser.detail
    guard let product = detail.product?.id else { return }
    navigator.stack.push(QuestionsModel(of: product, in: detail))
  }

  package var page: ProductQuestions.Page? { detail.questions.page(about: product) }

  package var sections: [ListSection<Never, Question>] { [ListSection(page?.questions ?? [])] }

  package func refresh() { detail.refresh() }

  package func didSelect() {
    if (list.selectedNumber ?? 0) + Self.lead >= list.count { detail.questions.readMore() }
  }
}
