package import MarketModel

/// Questions about the open product, oldest first, as far as they are loaded.
package final class ProductQuestions {
  /// Loaded questions about one product.
  package struct Page: Sendable {
    let product: Product.ID
    package fileprivate(set) var questions: [Question] = []
    /// Number of questions, as far as it is known.
    package fileprivate(set) var count: Int
    /// Cursor of the next page; nil at the end.
    fileprivate var next: PageCursor?
    /// Cursor and preceding question of the last page; nil if all questions are in one page.
    fileprivate var last: (cursor: PageCursor, question: Question.ID)?
    /// Error of the last request; nil if it succeeded.
    package fileprivate(set) var failure: RepositoryError?
  }

  @Observed private var page: Page?
  private let repository: any ProductRepository
  private var reader: SellerIdentifier?
  private var task: Task<Void, Never>?
  private var isReading = false
  /// Whether all loaded questions have to be read again.
  private var isOutdated = false

  init(repository: any ProductRepository) {
    self.repository = repository
  }

  /// Questions about a product; nil if none were requested.
  package func page(about product: Product.ID) -> Page? {
    page.flatMap { $0.product == product ? $0 : nil }
  }

  /// Reads the first page about a product, unless it was read or there are no questions.
  func read(about product: Product.ID, count: Int, by reader: SellerIdentifier?) {
    guard product != page?.product else { return }
    clear()
    self.reader = reader
    page = Page(product: product, count: count)
    if count > 0 { load() }
  }

  /// Reads the questions again after a change; `endsOnly` skips the middle of a long list, which
  /// would need many requests for each change by others.
  func reload(about product: Product.ID, by reader: SellerIdentifier? = nil, endsOnly: Bool = false)
  {
    self.reader = reader ?? self.reader
    guard product == page?.product else { return }
    if !endsOnly { isOutdated = true }
    load()
  }

  /// Reads the next page, unless all are loaded or a request is running.
  func readMore() { if page?.next != nil, !isReading { load(isMore: true) } }

  /// Cancels the request and clears the questions; called when the product is closed.
  func clear() {
    task?.cancel()
    (isReading, isOutdated) = (false, false)
    if page != nil { page = nil }
  }

  private func load(isMore: Bool = false) {
    guard let before = page else { return }
    task?.cancel()
    isReading = true
    task = Task.immediate {
      var page = isMore ? before : Page(product: before.product, count: before.count)
      let wanted = before.questions.count + (isMore ? 1 : 0)
      do throws(RepositoryError) {
        repeat {
          try await readOn(&page, upTo: wanted)
          guard !isOutdated, page.next != nil, let read = page.questions.last?.id,
            let last = before.last, read < last.question
          else { continue }
          page.questions += before.questions.filter { read < $0.id && $0.id <= last.question }
          page.next = last.cursor
        } while page.next != nil && page.questions.count < wanted && !Task.isCancelled
        page.count = page.questions.count
        if page.next != nil {
          page.count = try await repository.detail(of: page.product).questionCount
        }
        page.failure = nil
        if !Task.isCancelled, !isMore { isOutdated = false }
      } catch {
        page = before
        page.failure = error
      }
      guard !Task.isCancelled else { return }
      isReading = false
      self.page = page
    }
  }

  /// Reads a page behind the loaded ones, large enough for `wanted` questions if the market allows
  /// it.
  private func readOn(_ page: inout Page, upTo wanted: Int) async throws(RepositoryError) {
    let size = (wanted - page.questions.count).clamped(
      to: QuestionsRequest.usualSize...QuestionsRequest.sizes.upperBound)
    let read = try await repository.questions(
      QuestionsRequest(.product(page.product), by: reader, after: page.next, size: size))
    if let cursor = page.next, let question = page.questions.last?.id {
      page.last = (cursor, question)
    }
    page.questions += read.questions
    page.next = read.next
  }
}
