internal import MarketModel
internal import SafeTextKit

extension Navigator {
  /// Opens the menu of orders and filters, or announces that the market has none.
  ///
  /// Choosing an order closes the menu; filters can be switched one after the other.
  package func openOrders() {
    guard let capabilities = browser.capabilities else { return announce(.hint(.noAnswerYet)) }
    guard capabilities.offersMenu else { return announce(.hint(.noOrder)) }
    stack.startFlow { [self] flow in
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

  /// Opens the menu of picture modes.
  package func openPictureModes() {
    stack.startFlow { [program] flow in
      let rows = PictureMode.allCases.map(MenuModel.Row.pictures)
      let menu = MenuModel(.pictures, rows, selected: .pictures(program.pictureMode))
      if case .pictures(let mode)? = await flow.present(menu) { program.pictureMode = mode }
    }
  }

  /// Opens the menu of commands for the chosen product, with the links of its text and the seller's
  /// contact; at the mouse if `pointer` is not nil.
  package func openActions(at pointer: MenuModel.Pointer? = nil) {
    guard let chosen else { return }
    let detail = browser.detail
    let text = detail.product?.id == chosen.id && detail.isComplete ? detail.paragraphs : nil
    stack.startFlow { [self] flow in
      let menu = MenuModel(.product(chosen, at: pointer), [MenuModel.Row]())
      let reading = Task.immediate { [repository = browser.repository] in
        if let text { return menu.show(text, contact: detail.contact) }
        // If the text cannot be read, the menu has the other rows.
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
  /// Maximum number of links of a text in the menu; the others are left out.
  private static let maxLinks = 9

  /// Adds the links of a text, each once and at most nine, and the contact.
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
  /// Whether the menu of orders and filters has a choice.
  package nonisolated var offersMenu: Bool { orders.count > 1 || !filters.isEmpty }

  /// Whether the market lacks an order; it is shown nevertheless, because loaded pages are never
  /// sorted by the client instead.
  package nonisolated var lacksOrders: Bool { !ProductOrder.allCases.allSatisfy(orders.contains) }

  /// Whether a filter needs a scan of the market's pages.
  package nonisolated var scansForFilters: Bool {
    ProductFilter.offered.contains { scannable.contains(.filter($0)) }
  }
}
