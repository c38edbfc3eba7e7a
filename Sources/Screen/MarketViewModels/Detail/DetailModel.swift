package import MarketModel
package import SafeTextKit

/// Detail of one product; it follows the selection after a delay.
package final class DetailModel: Layer {
  /// State of the detail; a failed one keeps the row.
  package enum Phase: Hashable, Sendable {
    case empty
    /// Only the list's row is loaded.
    case loading(ListedProduct)
    case loaded(LoadedDetail)
    case failed(ListedProduct, RepositoryError)
  }

  @Observed package private(set) var phase: Phase = .empty
  /// Index of the shown picture, from 0.
  @Observed package private(set) var pictureIndex = 0
  /// Number of lines scrolled above the page.
  @Observed package private(set) var scrolledLines = 0
  /// Live change of the product since it was read; nil if there is none.
  @Observed package private(set) var news: LiveMarket.RowChange?

  package let spinner: Spinner
  /// Other products of the seller, while the product is open.
  package let otherProducts: OtherProducts
  /// Questions about the product, while it is open.
  package let questions: ProductQuestions

  let reader: DetailReader
  private let clock: any Clock<Duration>
  private let connection: ConnectionStatus?
  private let observers: ListObservers?
  private var task: Task<Void, Never>?
  /// Product that is shown or being read; nil if there is none.
  private var wanted: Product.ID?
  /// Detail of a held product from another source than the repository, as the favorites; nil without
  /// one.
  private var known: ProductDetail?
  /// Whether the shown detail comes from the cache or from `known`.
  private var isSeen = false
  /// Whether the shown product need not be in the list, so that the detail does not follow the
  /// selection.
  private var isHeld = false
  /// Whether the detail is on the screen; otherwise following the selection loads nothing.
  package private(set) var isShown = false

  /// The open product as `takeUnnoted()` returned it last; nil if it has not.
  private var noted: Product?

  /// Last shown picture of each product.
  private var turned = ShownPictures()
  /// Wrapped description, kept because each frame needs the same.
  private var wrapped: WrappedText?

  /// Time for which the selection must rest before its detail is read.
  package static let followDelay = Duration.milliseconds(120)
  /// Maximum delay of the loading state: a detail that arrives within it is drawn once.
  private static let grace = Duration.milliseconds(50)

  /// `connection` gets the result of each request, `observers` each detail or error.
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

  /// The shown product, as in the list; nil if there is none.
  package var product: ListedProduct? {
    switch phase {
    case .empty: nil
    case .loading(let product), .failed(let product, _): product
    case .loaded(let detail): detail.product
    }
  }

  /// Whether the detail is loaded.
  package var isComplete: Bool {
    if case .loaded = phase { true } else { false }
  }

  /// All known pictures; before the detail is loaded, the thumbnail.
  package var pictures: [Picture] {
    switch phase {
    case .empty: []
    case .loading(let product), .failed(let product, _):
      product.product.thumbnail.map { [$0] } ?? []
    case .loaded(let detail): detail.pictures
    }
  }

  /// The shown picture; nil if there is none or it is not known yet.
  package var shownPicture: Picture? {
    pictures.indices.contains(pictureIndex) ? pictures[pictureIndex] : nil
  }

  /// Paragraphs of the description; empty until it is loaded.
  package var paragraphs: [SafeText] {
    if case .loaded(let detail) = phase { detail.paragraphs } else { [] }
  }

  /// Contact of the seller; nil if there is none or the detail is not loaded.
  package var contact: SafeText? {
    if case .loaded(let detail) = phase { detail.contact } else { nil }
  }

  /// Sets whether the detail is on the screen.
  package func setShown(_ isShown: Bool, selected: ListedProduct?) {
    guard isShown != self.isShown else { return }
    self.isShown = isShown
    if isShown, let selected { show(selected) } else { cancel() }
  }

  /// Shows a product without delay.
  package func show(_ product: ListedProduct) {
    isHeld = false
    isShown = true
    load(product, after: .zero)
  }

  /// Shows a product that need not be in the list, until the detail is closed.
  ///
  /// `known` is shown until the detail is read, and if it cannot be.
  package func hold(_ product: ListedProduct, known: ProductDetail? = nil) {
    self.known = known
    // The detail that was shown last may be of this product, which was deleted since.
    if known != nil { phase = .empty }
    show(product)
    isHeld = true
  }

  /// Shows a detail that was just read, until it is closed; its product need not be in the list.
  func hold(_ detail: ProductDetail) {
    showLoaded(detail)
    isHeld = true
  }

  /// Reads other products of the seller, because the detail is open and not only beside the list, and
  /// similar products where `showsSimilar`.
  package func didLayOutOpen(in market: RepositoryCapabilities?, showsSimilar: Bool = false) {
    guard let market, isComplete, let product = product?.product else { return }
    otherProducts.read(
      besides: product,
      bySeller: market.queriesBySeller && product.seller.id != Seller.guest.id,
      similar: showsSimilar ? SimilarProducts.query(to: product, in: market) : nil)
  }

  /// Returns the open product once after it is read, and again after a change; else nil.
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
    // The list shows its own detail again.
    isShown = false
  }

  /// Shows a detail that was just read.
  package func showLoaded(_ detail: ProductDetail) {
    cancel()
    isShown = true
    wanted = detail.id
    isSeen = false
    news = nil
    phase = .loaded(LoadedDetail(detail))
    pictureIndex = pictureIndex(within: turned[detail.id])
    scrolledLines = 0
  }

  /// Marks the product as changed by others; the shown detail stays until it is reloaded.
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

  /// Shows the selected product after a delay; the next call replaces this one.
  package func follow(_ product: ListedProduct) {
    guard isShown, !isHeld, product.id != wanted else { return }
    load(product, after: Self.followDelay)
  }

  /// Whether the detail failed to load or comes from the cache.
  var isDue: Bool {
    guard isShown else { return false }
    if case .failed = phase { return true }
    return isSeen
  }

  /// Reads the product again; the shown detail stays until then.
  package func reload() {
    guard isShown, let product else { return }
    wanted = nil
    load(product, after: .zero)
  }

  package func refresh() {
    reload()
    if let product { questions.reload(about: product.id) }
  }

  /// Lines of the description, wrapped to `columns`; nil until it is loaded.
  package func lines(columns: Int) -> [SafeText]? { wrappedText(columns: columns)?.lines }

  /// Positions of links in these lines.
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

  /// Shows the picture at an index, clamped, and remembers it for the product.
  package func showPicture(at index: Int) {
    pictureIndex = pictureIndex(within: index)
    if let product { turned[product.id] = pictureIndex }
  }

  /// Last shown pictures, the latest at the end.
  var turnedPictures: [ShownPicture] { turned.all }

  /// Sets the last shown pictures of an earlier run.
  func remember(_ pictures: [ShownPicture]) { turned = ShownPictures(pictures) }

  /// Scrolls the page; `limit` is the number of its lines that do not fit.
  package func scroll(by lines: Int, limit: Int) {
    let limit = max(0, limit)
    scrolledLines = (min(scrolledLines, limit) + lines).clamped(to: 0...limit)
  }

  /// Shows nothing, unless a product is held.
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
    case .changedHere(.changed(let detail)): if product?.id == detail.id { showLoaded(detail) }
    case .changed(let changes):
      for change in changes.compactMap(\.product) { didChange(change) }
      // Questions of a blocked seller may have disappeared.
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

  /// Shows the row of a product that is being read, unless it is shown or another one is wanted.
  private func showRow(_ product: ListedProduct) {
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
      if !Task.isCancelled { showRow(product) }
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
      observers?.report(.readDetail(product.id, .success(detail)))
    } catch {
      guard !Task.isCancelled, error != .cancelled else { return }
      showRow(product)
      if !isBetterThanNothing(after: error) {
        phase = .failed(product, error)
        news = nil
        pictureIndex = pictureIndex(within: pictureIndex)
      } else if error == .notFound {
        news = .deleted
      }
      connection?.didAsk(error)
      observers?.report(.readDetail(product.id, .failure(error)))
    }
    spinner.stop()
  }

  /// Whether the cached or known detail stays after an error; the list shows its age.
  private func isBetterThanNothing(after error: RepositoryError) -> Bool {
    guard case .loaded(let detail) = phase else { return false }
    if isSeen, knownDetail(of: detail.product.id) != nil { return true }
    if case .unreachable = error { return true }
    return false
  }

  private func knownDetail(of id: Product.ID) -> ProductDetail? { known?.id == id ? known : nil }

  /// Whether the shown detail comes from another source than the repository.
  var showsKnown: Bool { isSeen && product.flatMap { knownDetail(of: $0.id) } != nil }

  /// Description of a product as received; nil if its detail is not loaded.
  func description(of id: Product.ID) -> String? {
    guard case .loaded(let detail) = phase, detail.product.id == id else { return nil }
    return detail.values[.description]?.texts.first
  }

  private func show(_ detail: ProductDetail, of product: ListedProduct, isSeen: Bool = false) {
    guard !Task.isCancelled else { return }
    showRow(product)
    self.isSeen = isSeen
    news = nil
    let loaded = Phase.loaded(LoadedDetail(detail))
    if phase != loaded { phase = loaded }
    // The index was limited by the pictures that were known before.
    pictureIndex = pictureIndex(within: turned[detail.id])
  }
}
