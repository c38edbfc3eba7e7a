package import MarketModel
package import SafeTextKit

/// Visit to one seller: who that is, over what is for sale there.
package final class SellerVisit {
  @Observed package private(set) var name: SafeText
  /// How the seller wants to be reached; nil where nothing is said, or not known yet.
  @Observed package private(set) var contact: SafeText?
  /// The number of products for sale there; nil until it is known.
  @Observed package private(set) var productCount: Int?
  /// When the oldest of them was registered; nil until it is known.
  @Observed package private(set) var since: Timestamp?

  let seller: Seller.ID
  /// Where a visit of an earlier run leads back to; nil for one that began in this run.
  let earlier: NavigationState.ListState?
  /// Where the visit leads back to.
  let placeBefore: BrowsedList.Position
  /// The product that led there, whose detail tells of the seller.
  let product: Product.ID
  private let repository: any ProductRepository
  private var tasks: [Task<Void, Never>] = []

  /// Visits the seller of a product.
  convenience init(
    of product: ListedProduct, from place: BrowsedList.Position, repository: any ProductRepository
  ) {
    self.init(product.product.seller, by: product.id, from: place, repository: repository)
  }

  /// Visits a seller who was met by a product.
  init(
    _ seller: Seller, by product: Product.ID, from place: BrowsedList.Position,
    repository: any ProductRepository
  ) {
    self.seller = seller.id
    name = SafeText(seller.name)
    placeBefore = place
    earlier = nil
    self.product = product
    self.repository = repository
    begin()
  }

  /// Visits again the seller whose page was shown when the market was left.
  init(
    of page: NavigationState.SellerPage, from place: BrowsedList.Position,
    repository: any ProductRepository
  ) {
    seller = page.seller
    name = SafeText(page.name)
    placeBefore = place
    earlier = page.before
    product = page.product
    self.repository = repository
    begin()
  }

  private func begin() {
    tasks = [Task.immediate { await readSeller() }, Task.immediate { await readAge() }]
  }

  /// The seller has another name or contact by now.
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

  /// Counts what is for sale and looks at the oldest of it: no market says since when a seller is
  /// there.
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

/// The visits to sellers of one market, of which the last one may be what is shown.
final class SellerVisits: ListObserver {
  /// The seller who was visited last.
  @Observed private var last: SellerVisit?
  private let list: BrowsedList

  init(of list: BrowsedList) { self.list = list }

  /// The visit whose products are shown alone; nil where others are shown.
  var shown: SellerVisit? {
    guard let last, list.feed.query.sellers == [last.seller] else { return nil }
    return last
  }

  func begin(_ visit: SellerVisit) {
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

  /// A seller has another name or contact.
  func didChange(_ seller: Seller.ID) { if let shown, shown.seller == seller { shown.didChange() } }
}

extension Navigator {
  /// The seller whose products are shown alone by `s`; nil where others are shown.
  package var sellerVisit: SellerVisit? { sellerVisits.shown }

  /// `s`: shows who sells the chosen product, and what else is for sale there.
  package func visitSeller() {
    guard let chosen else { return }
    let seller = chosen.product.seller.id
    guard browser.capabilities?.queriesBySeller != false else {
      return announce(.hint(.noSellerPages))
    }
    stack.remove(browser.detail)
    guard sellerVisit?.seller != seller else { return }
    sellerVisits.begin(SellerVisit(of: chosen, from: browser.place, repository: browser.repository))
    browser.show(ProductQuery(order: browser.feed.query.order, sellers: [seller]))
  }

  /// Shows a seller who was met earlier by a product.
  func visit(_ seller: Seller, by product: Product.ID) {
    stack.remove(browser.detail)
    guard sellerVisit?.seller != seller.id else { return }
    sellerVisits.begin(
      SellerVisit(seller, by: product, from: browser.place, repository: browser.repository))
    browser.show(ProductQuery(sellers: [seller.id]))
  }

  /// True where a seller's page with nothing else asked for is shown, from which one goes back.
  package var canLeaveSeller: Bool {
    sellerVisit != nil && browser.feed.query.parts == [.seller]
  }

  /// Goes back to where the visit to a seller began.
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
