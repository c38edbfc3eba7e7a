package import MarketModel
import Observation
package import SafeTextKit

/// Menu of what can be done with the chosen product: the commands of the screen below, and the links in
/// the seller's text.
@Observable
package final class ActionsModel: Layer {
  package let product: ListedProduct
  /// Each address of the text once, in its order; none before the text is known.
  package private(set) var links: [WebLink] = []
  /// How the seller wants to be reached; nil where nothing is said, and before it is known.
  package private(set) var contact: SafeText?
  package private(set) var selected = 0
  /// Where the mouse asked for it; nil where a key did.
  package let pointer: Pointer?

  /// Cell of the window that the mouse was on.
  package struct Pointer: Hashable, Sendable {
    package let column: Int
    package let row: Int

    package init(column: Int, row: Int) {
      self.column = column
      self.row = row
    }
  }

  @ObservationIgnored private var reading: Task<Void, Never>?

  private static let maxLinks = 9

  /// A menu for a product; its text is read from the repository where nothing shows it yet.
  package init(
    product: ListedProduct, text: [SafeText]?, contact: SafeText? = nil, pointer: Pointer? = nil,
    repository: any ProductRepository
  ) {
    self.product = product
    self.pointer = pointer
    if let text {
      take(text)
      self.contact = contact
      return
    }
    reading = Task.immediate {
      // Where the text cannot be read the rest of the menu serves all the same.
      guard let detail = try? await repository.detail(of: product.id), !Task.isCancelled else {
        return
      }
      take(SafeText.lines(detail.description))
      self.contact = detail.product.seller.contact.map { SafeText($0.text) }
    }
  }

  private func take(_ text: [SafeText]) {
    var links: [WebLink] = []
    for link in text.flatMap(WebLink.occurrences(in:)).map(\.link) where !links.contains(link) {
      links.append(link)
    }
    self.links = Array(links.prefix(Self.maxLinks))
  }

  package func didClose() { reading?.cancel() }

  /// Moves the selection among so many choices.
  package func move(by distance: Int, of count: Int) {
    selected = (selected + distance).clamped(to: 0...max(0, count - 1))
  }
}

extension ActionsModel {
  /// Opens the menu for the chosen product, at the mouse where that asked for it.
  package static func open(on navigator: Navigator, at pointer: Pointer? = nil) {
    guard let chosen = navigator.chosen else { return }
    let detail = navigator.browser.detail
    let text = detail.product?.id == chosen.id && detail.isComplete ? detail.paragraphs : nil
    navigator.stack.push(
      ActionsModel(
        product: chosen, text: text, contact: detail.contact, pointer: pointer,
        repository: navigator.browser.repository))
  }
}

extension Navigator {
  /// Shows an address in full and opens it elsewhere if that is wanted; over ssh, where there is no
  /// desktop, it is copied.
  ///
  /// A product of a market that is known opens here.
  package func follow(_ link: WebLink) {
    guard let delegate = program.delegate else { return }
    if let product = ProductAddress(link.address), knows(product) { return follow(product) }
    guard delegate.opensLinks else { return delegate.copy(SafeText(link.address)) }
    stack.begin { flow in
      if await flow.present(QuestionModel(.link(link))) == true { delegate.open(link) }
    }
  }
}
