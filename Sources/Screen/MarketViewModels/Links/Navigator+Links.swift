package import MarketModel
internal import SafeTextKit

extension Navigator {
  /// Takes pasted text for a link, where it is one; false where it is nothing of the kind.
  package func followPasted(_ text: String) -> Bool {
    if let link = ProductAddress.only(in: text) {
      follow(link)
      return true
    }
    guard ProductAddress.isBegun(by: text.trimmed) else { return false }
    announce(.hint(.noProductLink))
    return true
  }

  /// Opens the product of a link in its market.
  ///
  /// A market that nobody has named or opened is asked about first, and before that nothing is sent.
  package func follow(_ link: ProductAddress) {
    if leadsHere(link) { return openProduct(link.product) }
    guard let markets, markets.areMany else { return announce(.hint(.linkLeadsElsewhere)) }
    if let market = markets.market(at: link.market) { return visit(link, in: market) }
    guard let market = markets.directory?.market(at: link.market.text) else { return }
    stack.begin { [self] flow in
      if await flow.present(ConfirmationModel(.market(link))) == true { visit(link, in: market) }
    }
  }

  /// Whether a link's market is one that needs no question.
  func knows(_ link: ProductAddress) -> Bool {
    leadsHere(link) || markets?.market(at: link.market) != nil
  }

  private func leadsHere(_ link: ProductAddress) -> Bool {
    let address = marketAddress.flatMap { WebAddress($0.string) }
    return address?.withoutEnding == link.market
      || browser.capabilities?.publicAddress == link.market
  }

  /// Shows a market and opens the product of a link in it; nobody is named to it.
  func visit(_ link: ProductAddress, in market: KnownMarket) {
    Task.immediate { await goTo(market, namingSeller: false)?.openProduct(link.product) }
  }

  /// Shows a product of which nothing but the number is known, unless something else was opened when
  /// it has come.
  private func openProduct(_ id: Product.ID) {
    let top = stack.top
    announce(.hint(.linkOpens))
    Task.immediate {
      do throws(RepositoryError) {
        let detail = try await browser.detail.reader.fetch(id)
        browser.notices.withdraw(.hint(.linkOpens))
        if stack.top === top { open(ListedProduct(detail.product), known: detail) }
      } catch {
        announce(.failed(error))
      }
    }
  }
}

extension Markets {
  /// The market at an address: one that is remembered or was opened, or one that is open and says that
  /// the address is its own; nil where nobody knows of one.
  func market(at address: WebAddress) -> KnownMarket? {
    let all = all
    if let named = all.first(where: { $0.location.webAddress == address }) { return named }
    let open = open.first { $0.browser.capabilities?.publicAddress == address }
    return open.flatMap { open in all.first { $0.key == open.market } }
  }
}

extension MarketLocation {
  /// Where a server is; nil for a file.
  fileprivate nonisolated var webAddress: WebAddress? {
    if case .server(let address) = self { WebAddress(address)?.withoutEnding } else { nil }
  }
}
