package import MarketModel
internal import SafeTextKit

extension Navigator {
  /// Handles pasted text that is a link; false if it is none.
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
  /// Before a market that is neither remembered nor open is contacted, the user confirms it.
  package func follow(_ link: ProductAddress) {
    if leadsHere(link) { return openProduct(link.product) }
    guard let markets, markets.areMany else { return announce(.hint(.linkLeadsElsewhere)) }
    if let market = markets.market(at: link.market) { return visit(link, in: market) }
    guard let market = markets.directory?.market(at: link.market.text) else { return }
    stack.startFlow { [self] flow in
      if await flow.present(ConfirmationModel(.market(link))) == true { visit(link, in: market) }
    }
  }

  /// Whether the market of a link needs no confirmation.
  func knows(_ link: ProductAddress) -> Bool {
    leadsHere(link) || markets?.market(at: link.market) != nil
  }

  private func leadsHere(_ link: ProductAddress) -> Bool {
    let address = marketAddress.flatMap { WebAddress($0.string) }
    return address?.withoutEnding == link.market
      || browser.capabilities?.publicAddress == link.market
  }

  /// Opens the product of a link in a market, which is sent no seller identifier.
  func visit(_ link: ProductAddress, in market: KnownMarket) {
    Task.immediate { await goTo(market, namingSeller: false)?.openProduct(link.product) }
  }

  /// Reads a product and opens its detail, unless another layer was opened in the meantime.
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
  /// Remembered or opened market at an address, or open market with this public address; nil if there
  /// is none.
  func market(at address: WebAddress) -> KnownMarket? {
    let all = all
    if let named = all.first(where: { $0.location.webAddress == address }) { return named }
    let open = open.first { $0.browser.capabilities?.publicAddress == address }
    return open.flatMap { open in all.first { $0.key == open.market } }
  }
}

extension MarketLocation {
  /// Address of a server; nil for a file.
  fileprivate nonisolated var webAddress: WebAddress? {
    if case .server(let address) = self { WebAddress(address)?.withoutEnding } else { nil }
  }
}
