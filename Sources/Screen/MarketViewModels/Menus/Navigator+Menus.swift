internal import MarketModel
internal import SafeTextKit

extension Navigator {
  /// Opens the menu of orders and filters, or says that this market has none.
  ///
  /// An order leaves it, filters can be switched one after the other.
  package func openOrders() {
    guard let capabilities = browser.capabilities else { return announce(.hint(.noAnswerYet)) }
    guard capabilities.offersMenu else { return announce(.hint(.noOrder)) }
    stack.begin { [self] flow in
      let menu = MenuModel(
        .orders(capabilities),
        [
          ListSection(.subject, ProductOrder.allCases.map(MenuModel.Row.order)),
          ListSection(.filters, capabilities.filters.map(MenuModel.Row.filter)),
        ], selected: .order(browser.feed.query.order))
      while let row = await flow.present(menu) {
        var query = browser.feed.query
        switch row {
        case .filter(let filter):
          query.filters.toggle(filter)
          browser.show(query)
        case .order(let order) where capabilities.orders.contains(order):
          query.order = order
          return browser.show(query)
        default: announce(.hint(.orderLacking))
        }
      }
    }
  }

  /// Opens the menu of the ways to show pictures.
  package func openPictureModes() {
    stack.begin { [program] flow in
      let rows = PictureMode.allCases.map(MenuModel.Row.pictures)
      let menu = MenuModel(.pictures, rows, selected: .pictures(program.pictureMode))
      if case .pictures(let mode)? = await flow.present(menu) { program.pictureMode = mode }
    }
  }

  /// Opens the menu of what can be done with the chosen product, at the mouse where that asked for it:
  /// behind the commands of the screen below, the links in the seller's text and the contact.
  package func openActions(at pointer: MenuModel.Pointer? = nil) {
    guard let chosen else { return }
    let detail = browser.detail
    let text = detail.product?.id == chosen.id && detail.isComplete ? detail.paragraphs : nil
    stack.begin { [self] flow in
      let menu = MenuModel(.product(chosen, at: pointer), [MenuModel.Row]())
      let reading = Task.immediate { [repository = browser.repository] in
        if let text { return menu.show(text, contact: detail.contact) }
        // Where the text cannot be read the rest of the menu serves all the same.
        guard let detail = try? await repository.detail(of: chosen.id), !Task.isCancelled else {
          return
        }
        menu.show(
          SafeText.lines(detail.description),
          contact: detail.product.seller.contact.map { SafeText($0.text) })
      }
      defer { reading.cancel() }
      let row = await flow.present(menu)
      flow.dismiss()
      switch row {
      case .link(let link)?: follow(link)
      case .contact(let contact)?: program.delegate?.copy(contact)
      default: break
      }
    }
  }
}

extension MenuModel {
  private static let maxLinks = 9

  /// Shows each address of a text once, in its order, and how the seller wants to be reached.
  fileprivate func show(_ text: [SafeText], contact: SafeText?) {
    var links: [WebLink] = []
    for link in text.flatMap(WebLink.occurrences(in:)).map(\.link) where !links.contains(link) {
      links.append(link)
    }
    sections = [
      ListSection(.links, links.prefix(Self.maxLinks).map(Row.link)),
      ListSection(.contact, [contact].compactMap(\.self).map(Row.contact)),
    ]
  }
}

extension RepositoryCapabilities {
  /// Whether the menu of orders and filters has anything to choose from.
  package nonisolated var offersMenu: Bool { orders.count > 1 || !filters.isEmpty }

  /// Whether there is an order that the market lacks: it stays in sight, for the pages that happen to
  /// be loaded are never sorted instead.
  package nonisolated var lacksOrders: Bool { !ProductOrder.allCases.allSatisfy(orders.contains) }

  /// Whether there is a filter for which the market's pages are sifted.
  package nonisolated var scansForFilters: Bool {
    ProductFilter.offered.contains { scannable.contains(.filter($0)) }
  }
}
