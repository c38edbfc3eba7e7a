package import MarketModel
package import SafeTextKit

/// Seller's page: the seller above the seller's products.
package final class SellerVisit {
  @Observed package private(set) var name: SafeText
  /// Contact of the seller; nil if there is none or it is not read yet.
  @Observed package private(set) var contact: SafeText?
  /// Number of the seller's products; nil until it is read.
  @Observed package private(set) var productCount: Int?
  /// Time of registration of the oldest product; nil until it is read.
  @Observed package private(set) var since: Timestamp?

  let seller: Seller.ID
  /// List to which a restored page leads back; nil for one that was opened in this run.
  let earlier: NavigationState.ListState?
  /// Snapshot of the list to which the page leads back.
  let placeBefore: ProductList.Snapshot
  /// Product from which the page was opened, whose detail contains the seller.
  let product: Product.ID
  private let repository: any ProductRepository
  private var tasks: [Task<Void, Never>] = []

  /// Opens the page of a product's seller.
  convenience init(
    of product: ListedProduct, from place: ProductList.Snapshot, repository: any ProductRepository
  ) {
    self.init(product.product.seller, by: product.id, from: place, repository: repository)
  }

  /// Opens the page of a seller, with one of the seller's products.
  init(
    _ seller: Seller, by product: Product.ID, from place: ProductList.Snapshot,
    repository: any ProductRepository
  ) {
    self.seller = seller.id
    name = SafeText(seller.name)
    placeBefore = place
    earlier = nil
    self.product = product
    self.repository = repository
    startReading()
  }

  /// Restores the page of an earlier run.
  init(
    of page: NavigationState.SellerPage, from place: ProductList.Snapshot,
    repository: any ProductRepository
  ) {
    seller = page.seller
    name = SafeText(page.name)
    placeBefore = place
    earlier = page.before
    product = page.product
    self.repository = repository
    startReading()
  }

  private func startReading() {
    tasks = [Task.immediate { await readSeller() }, Task.immediate { await readAge() }]
  }

  /// Reads the seller again after a change.
  func didChange() { tasks.append(Task.immediate { await readSeller() }) }

  func end() {
    for task in tasks { task.cancel() }
  }

  private func readSeller() async {
    guard let seller = try? await repository.detail(of: product).product.seller,
      !Task.isCancelled
    else { return }
    let (name, contact) = (SafeText(seller.name), seller.contact.map { SafeText($0.text) })
    if name != self.name { self.name = name }
    if contact != self.contact { self.contact = contact }
  }

  /// Reads the number of products and the oldest one: markets do not report since when a seller is
  /// registered.
  private func readAge() async {
    let query = ProductQuery(sellers: [seller])
    guard case .exactly(let count)? = try? await repository.total(of: query), !Task.isCancelled
    else { return }
    productCount = count
    let last = PageRequest(query: query, position: .number(max(1, count)), size: 1)
    guard let oldest = try? await repository.page(last).products.first, !Task.isCancelled else {
      return
    }
    since = oldest.created
  }
}

/// Seller's pages of one market; the last one may be shown.
final class SellerVisits: ListObserver {
  /// The last page; nil after it was left.
  @Observed private var last: SellerVisit?
  private let list: ProductList

  init(of list: ProductList) { self.list = list }

  /// The shown page; nil if the list has other products.
  var shown: SellerVisit? {
    guard let last, list.feed.query.sellers == [last.seller] else { return nil }
    return last
  }

  func start(_ visit: SellerVisit) {
    last?.end()
    last = visit
  }

  func end() {
    last?.end()
    last = nil
  }

  func didReceive(_ news: ListNews) {
    guard case .changed(let changes) = news else { return }
    for case .seller(let seller) in changes { didChange(seller) }
  }

  /// Reads a changed seller again, if the page is shown.
  func didChange(_ seller: Seller.ID) { if let shown, shown.seller == seller { shown.didChange() } }
}

extension Navigator {
  /// The shown seller's page; nil if the list has other products.
  package var sellerVisit: SellerVisit? { sellerVisits.shown }

  /// `s`: opens the page of the chosen product's seller.
  package func visitSeller() {
    guard let chosen else { return }
    let seller = chosen.product.seller.id
    guard browser.capabilities?.queriesBySeller != false else {
      return announce(.hint(.noSellerPages))
    }
    stack.remove(browser.detail)
    guard sellerVisit?.seller != seller else { return }
    sellerVisits.start(
      SellerVisit(of: chosen, from: browser.list.snapshot, repository: browser.repository))
    browser.show(ProductQuery(order: browser.feed.query.order, sellers: [seller]))
  }

  /// Opens the page of a seller, with one of the seller's products.
  func visit(_ seller: Seller, by product: Product.ID) {
    stack.remove(browser.detail)
    guard sellerVisit?.seller != seller.id else { return }
    sellerVisits.start(
      SellerVisit(seller, by: product, from: browser.list.snapshot, repository: browser.repository))
    browser.show(ProductQuery(sellers: [seller.id]))
  }

  /// Whether a seller's page without further filters is shown.
  package var canLeaveSeller: Bool {
    sellerVisit != nil && browser.feed.query.parts == [.seller]
  }

  /// Leaves a seller's page for the list before it.
  package func leaveSeller() {
    guard canLeaveSeller, let visit = sellerVisit else { return }
    sellerVisits.end()
    if let earlier = visit.earlier {
      goBack(to: earlier)
    } else {
      browser.restore(visit.placeBefore)
    }
  }
}
