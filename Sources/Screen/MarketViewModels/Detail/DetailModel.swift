package import MarketModel
package import SafeTextKit

/// The detail of one product: it follows the selection, a moment after the last move.
package final class DetailModel: Layer {
  package enum Phase: Hashable, Sendable {
    case empty
    /// The list's row is known, the rest is on its way.
    case loading(ListedProduct)
    case loaded(LoadedDetail)
    case failed(ListedProduct, RepositoryError)
  }

  @Observed package private(set) var phase: Phase = .empty
  /// Which of the pictures is shown.
  @Observed package private(set) var pictureIndex = 0
  /// Lines of the page that are scrolled away at its top.
  @Observed package private(set) var scrolledLines = 0
  /// What happened to the product since it was read.
  @Observed package private(set) var news: LiveMarket.RowChange?

  package let spinner: Spinner
  /// What else its seller has, while it is open.
  package let otherProducts: OtherProducts
  /// What was asked about it, while it is open.
  package let questions: ProductQuestions

  let reader: DetailReader
  private let clock: any Clock<Duration>
  private let connection: ConnectionStatus?
  private let observers: ListObservers?
  private var task: Task<Void, Never>?
  /// The product that is shown or on its way.
  private var wanted: Product.ID?
  /// What is known of a product that is held, from elsewhere than the repository.
  private var known: ProductDetail?
  /// Whether what is shown is what was seen earlier.
  private var isSeen = false
  /// Whether it shows a product that the list may not have, and does not follow the list meanwhile.
  private var isHeld = false
  /// Whether anything shows the detail; if not, following the selection loads nothing.
  package private(set) var isShown = false

  /// The open product as it was given to be noted; nil where none is open.
  private var noted: Product?

  /// Which picture of a product was shown last.
  private var turned = ShownPictures()
  /// The text in lines of some width, kept because frame after frame asks for the same.
  private var wrapped: WrappedText?

  /// How long the selection must rest before its detail is read.
  package static let followDelay = Duration.milliseconds(120)
  /// How long a detail that follows may take until the product's row is shown meanwhile: one that comes
  /// sooner is drawn once.
  private static let grace = Duration.milliseconds(50)

  /// `connection` learns of each answer and failure, and `observers` what came of each question.
  init(
    repository: any ProductRepository, seen: (any ProductCache)? = nil, clock: any Clock<Duration>,
    connection: ConnectionStatus? = nil, observers: ListObservers? = nil
  ) {
    reader = DetailReader(repository: repository, seen: seen)
    self.clock = clock
    self.connection = connection
    self.observers = observers
    spinner = Spinner(clock: clock)
    otherProducts = OtherProducts(repository: repository, clock: clock)
    questions = ProductQuestions(repository: repository)
  }

  /// The product that is shown, as the list knows it.
  package var product: ListedProduct? {
    switch phase {
    case .empty: nil
    case .loading(let product), .failed(let product, _): product
    case .loaded(let detail): detail.product
    }
  }

  /// Whether all of the product is there.
  package var isComplete: Bool {
    if case .loaded = phase { true } else { false }
  }

  /// All pictures that are known: before the detail is there, the thumbnail.
  package var pictures: [Picture] {
    switch phase {
    case .empty: []
    case .loading(let product), .failed(let product, _):
      product.product.thumbnail.map { [$0] } ?? []
    case .loaded(let detail): detail.pictures
    }
  }

  /// The picture that is shown; nil where there is none, or it is not known yet.
  package var shownPicture: Picture? {
    pictures.indices.contains(pictureIndex) ? pictures[pictureIndex] : nil
  }

  /// The description's lines as the seller broke them; none where it is not loaded.
  package var paragraphs: [SafeText] {
    if case .loaded(let detail) = phase { detail.paragraphs } else { [] }
  }

  /// How the seller wants to be reached; nil where nothing is said, or it is not loaded.
  package var contact: SafeText? {
    if case .loaded(let detail) = phase { detail.contact } else { nil }
  }

  /// Says whether there is a place on the screen for the detail.
  package func setShown(_ isShown: Bool, selected: ListedProduct?) {
    guard isShown != self.isShown else { return }
    self.isShown = isShown
    if isShown, let selected { show(selected) } else { cancel() }
  }

  /// Shows a product at once.
  package func show(_ product: ListedProduct) {
    isHeld = false
    isShown = true
    load(product, after: .zero)
  }

  /// Shows a product that the list may not have, whatever is selected there, until the detail closes.
  ///
  /// `known` is what is shown until it is read, and where it cannot be.
  package func hold(_ product: ListedProduct, known: ProductDetail? = nil) {
    self.known = known
    // The last that was shown may be this very product, which is gone since.
    if known != nil { phase = .empty }
    show(product)
    isHeld = true
  }

  /// Says that the product is open, and not beside the list alone: what else its seller has is shown
  /// where the market can tell.
  package func didLayOutOpen(in market: RepositoryCapabilities?) {
    guard market?.queriesBySeller == true, isComplete, let product = product?.product,
      product.seller.id != Seller.guest.id
    else { return }
    otherProducts.read(besides: product)
  }

  /// The open product, once it is read and again where it has changed; nil where it is noted already.
  func takeUnnoted() -> Product? {
    guard case .loaded(let detail) = phase, detail.product.product != noted else { return nil }
    noted = detail.product.product
    return noted
  }

  package func didClose() {
    noted = nil
    otherProducts.clear()
    questions.clear()
    guard isHeld else { return }
    isHeld = false
    known = nil
    clear()
    // The list beside it shows its own one anew.
    isShown = false
  }

  /// Shows a product that a repository answered just now.
  package func take(_ detail: ProductDetail) {
    cancel()
    isShown = true
    wanted = detail.id
    isSeen = false
    news = nil
    phase = .loaded(LoadedDetail(detail))
    pictureIndex = pictureIndex(within: turned[detail.id])
    scrolledLines = 0
  }

  /// Learns of a change by others; what is shown stays until its reader asks.
  private func didChange(_ change: ProductChange) {
    guard case .loaded(let detail) = phase, detail.product.id == change.id, news != .deleted else {
      return
    }
    switch change.kind {
    case .deleted: news = .deleted
    case .changed, .listed:
      if !change.led(to: detail.version), news != .changed { news = .changed }
    }
  }

  /// Shows a product when the selection has rested on it; the next call takes this one back.
  package func follow(_ product: ListedProduct) {
    guard isShown, !isHeld, product.id != wanted else { return }
    load(product, after: Self.followDelay)
  }

  /// Whether what is shown did not come, or is what was seen earlier, and should be asked for again.
  var isDue: Bool {
    guard isShown else { return false }
    if case .failed = phase { return true }
    return isSeen
  }

  /// Reads the same product again, for instance after a failure; what is shown stays until then.
  package func reload() {
    guard isShown, let product else { return }
    wanted = nil
    load(product, after: .zero)
  }

  package func refresh() {
    reload()
    if let product { questions.reload(about: product.id) }
  }

  /// The description in lines of at most so many cells; nil where none is loaded.
  package func lines(columns: Int) -> [SafeText]? { wrappedText(columns: columns)?.lines }

  /// Where addresses stand in these lines.
  package func links(columns: Int) -> [LinkSpans.Span] {
    wrappedText(columns: columns)?.links ?? []
  }

  private func wrappedText(columns: Int) -> WrappedText? {
    guard case .loaded(let detail) = phase else { return nil }
    if let wrapped, wrapped.isOf(detail, columns: columns) { return wrapped }
    wrapped = WrappedText(detail, columns: columns)
    return wrapped
  }

  package func showNextPicture() { showPicture(at: pictureIndex + 1) }

  package func showPreviousPicture() { showPicture(at: pictureIndex - 1) }

  /// Shows one of the pictures, the nearest one for an index that is none; the product keeps it.
  package func showPicture(at index: Int) {
    pictureIndex = pictureIndex(within: index)
    if let product { turned[product.id] = pictureIndex }
  }

  /// Which pictures were shown last, the latest at the end.
  var turnedPictures: [ShownPicture] { turned.all }

  /// Takes up which pictures were shown last before.
  func remember(_ pictures: [ShownPicture]) { turned = ShownPictures(pictures) }

  /// Scrolls the page; `limit` is the number of its lines that do not fit.
  package func scroll(by lines: Int, limit: Int) {
    let limit = max(0, limit)
    scrolledLines = (min(scrolledLines, limit) + lines).clamped(to: 0...limit)
  }

  /// Shows nothing, for there is nothing to follow.
  package func clear() {
    guard !isHeld else { return }
    cancel()
    if phase != .empty { phase = .empty }
  }

  package func cancel() {
    otherProducts.cancel()
    task?.cancel()
    task = nil
    wanted = nil
    spinner.stop()
  }
}

extension DetailModel: ListObserver {
  func didSelect(_ product: ListedProduct?) {
    if let product { follow(product) } else { clear() }
  }

  func didReceive(_ news: ListNews) {
    switch news {
    case .changedHere(.changed(let detail)): if product?.id == detail.id { take(detail) }
    case .changed(let changes):
      for change in changes.compactMap(\.product) { didChange(change) }
      // A seller who was blocked may have asked here.
      let isAsked = changes.contains { change in
        switch change {
        case .question(let change): change.product == product?.id
        case .seller: true
        case .product: false
        }
      }
      if isAsked, let product { questions.reload(about: product.id, endsOnly: true) }
    case .changedHere, .countdownEnded, .marketAnswered, .readRows, .reserved, .gone, .readDetail:
      break
    }
  }
}

extension DetailModel {
  private func pictureIndex(within index: Int) -> Int {
    index.clamped(to: 0...max(0, pictures.count - 1))
  }

  private func load(_ product: ListedProduct, after delay: Duration) {
    guard product.id != wanted || delay == .zero else { return }
    cancel()
    wanted = product.id
    task = Task.immediate {
      if delay > .zero {
        try? await clock.sleep(for: delay)
        guard !Task.isCancelled else { return }
      }
      await read(product, within: delay > .zero ? Self.grace : .zero)
    }
  }

  /// Shows the row of a product that is read, unless that is shown or no longer wanted.
  private func begin(_ product: ListedProduct) {
    guard wanted == product.id, self.product?.id != product.id else { return }
    phase = .loading(product)
    isSeen = false
    news = nil
    pictureIndex = turned[product.id]
    scrolledLines = 0
  }

  private func read(_ product: ListedProduct, within grace: Duration) async {
    let beginning = Task.immediate {
      if grace > .zero { try? await clock.sleep(for: grace) }
      if !Task.isCancelled { begin(product) }
    }
    defer { beginning.cancel() }
    spinner.start()
    let isLoading = if case .loading = phase { true } else { false }
    if isLoading || self.product?.id != product.id {
      let cached = await reader.seen?.cachedDetail(of: product.id)?.value
      if let detail = cached ?? knownDetail(of: product.id) {
        show(detail, of: product, isSeen: true)
      }
    }
    do throws(RepositoryError) {
      let detail = try await reader.repository.detail(of: product.id)
      show(detail, of: product)
      guard !Task.isCancelled else { return }
      connection?.didAsk(nil)
      observers?.tell(.readDetail(product.id, .success(detail)))
    } catch {
      guard !Task.isCancelled, error != .cancelled else { return }
      begin(product)
      if !isBetterThanNothing(after: error) {
        phase = .failed(product, error)
        news = nil
        pictureIndex = pictureIndex(within: pictureIndex)
      } else if error == .notFound {
        news = .deleted
      }
      connection?.didAsk(error)
      observers?.tell(.readDetail(product.id, .failure(error)))
    }
    spinner.stop()
  }

  /// Whether what was seen of the product earlier stays; the list says how old that is.
  private func isBetterThanNothing(after error: RepositoryError) -> Bool {
    guard case .loaded(let detail) = phase else { return false }
    if isSeen, knownDetail(of: detail.product.id) != nil { return true }
    if case .unreachable = error { return true }
    return false
  }

  private func knownDetail(of id: Product.ID) -> ProductDetail? { known?.id == id ? known : nil }

  /// Whether what is shown is what was known from elsewhere than the repository.
  var showsKnown: Bool { isSeen && product.flatMap { knownDetail(of: $0.id) } != nil }

  /// The text of a product as it came; nil where it is not loaded.
  func description(of id: Product.ID) -> String? {
    guard case .loaded(let detail) = phase, detail.product.id == id else { return nil }
    return detail.values[.description]?.texts.first
  }

  private func show(_ detail: ProductDetail, of product: ListedProduct, isSeen: Bool = false) {
    guard !Task.isCancelled else { return }
    begin(product)
    self.isSeen = isSeen
    news = nil
    let loaded = Phase.loaded(LoadedDetail(detail))
    if phase != loaded { phase = loaded }
    // Where less was there before, a failure or a part of the pictures, the number was cut.
    pictureIndex = pictureIndex(within: turned[detail.id])
  }
}
