internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

extension MenuModel: ViewedLayer {
  package func view(in frame: Frame) -> MenuView { MenuView(model: self, frame: frame) }
}

/// Menu with numbers before its rows, which drops from what it is about.
package struct MenuView: MenuLayerView {
  package let model: MenuModel
  package let frame: Frame

  package static let bindings = BindingTable<MenuView>(
    SharedBindings.menu(switching: \.isOnFilter))
  package static var opens: [any LayerView.Type] {
    [PromptView.self, AlertsView.self, PasswordView.self, BulkEditView.self, ConfirmationView.self]
  }

  private var isOnFilter: Bool {
    if case .filter = model.selectedRow() { true } else { false }
  }

  /// What the screen below does with the product; none in other menus.
  private var commands: [KeyRow] {
    guard case .product = model.subject else { return [] }
    return frame.view(below: model)?.rows.filter { $0.group == .product } ?? []
  }

  package func choose(_ index: Int?) {
    let commands = commands
    let count = commands.count + model.rows.count
    if let index {
      guard (0..<count).contains(index) else { return }
      model.move(by: index - model.selected, of: count)
    }
    if let row = model.selectedRow(behind: commands.count) { return model.choose(row) }
    guard commands.indices.contains(model.selected) else { return }
    close()
    commands[model.selected].run()
  }

  package func moveSelection(by distance: Int) {
    model.move(by: distance, of: commands.count + model.rows.count)
  }

  // MARK: Drawing

  package var box: MenuBox {
    MenuBox(
      lines: lines, selected: model.selected, bounds: frame.body, anchor: anchor, context: context)
  }

  /// The mouse, else the product in the screen below; nil for what hangs from the top bar.
  private var anchor: CellRect? {
    guard case .product(_, let pointer) = model.subject else { return nil }
    guard let pointer else { return frame.view(below: model)?.selectedPlace }
    return CellRect(column: pointer.column, row: pointer.row, columns: 1, rows: 1)
  }

  /// Columns of a name above the choices, which are short words.
  private static let maxHeadingLength = 40

  private var widest: Int { frame.body.columns / 2 }

  private var lines: [MenuBox.Line] {
    let strings = context.strings
    let rows = model.rows.map { MenuBox.Line.choice(choice(of: $0)) }
    switch model.subject {
    case .orders(let capabilities):
      let orders = rows.prefix(ProductOrder.allCases.count)
      let lacking: Phrase? = capabilities.lacksOrders ? .hintOrderLacking : nil
      let scanned: Phrase? = capabilities.scansForFilters ? .filtersScanned : nil
      return [.heading(strings[.menuOrder])] + orders + note(lacking)
        + section(.menuFilter, rows.dropFirst(orders.count)) + note(scanned)
    case .pictures: return [.heading(strings[.keyPictures])] + rows + pictureReason
    case .alerts(let target):
      let name = SafeText(target.name).truncated(toColumns: Self.maxHeadingLength)
      return [.heading(name)] + rows.dropLast() + [.blank] + rows.suffix(1)
        + [.blank, .note(strings[.alertNote])]
    case .marked(let count): return [.heading(strings.counted(.bulkTitle, count))] + rows
    case .product(let product, _):
      let links = model.rows.count { if case .link = $0 { true } else { false } }
      let commands = commands.map { row in
        MenuBox.Line.choice(
          MenuBox.Choice(
            text: strings[row.words], key: row.keys.first.map(context.name) ?? .empty))
      }
      let name = product.name.truncated(toColumns: min(widest, Self.maxHeadingLength))
      return [.heading(name)] + commands + section(.actionsLinks, rows.prefix(links))
        + section(.actionsContact, rows.dropFirst(links))
    }
  }

  private func note(_ phrase: Phrase?) -> [MenuBox.Line] {
    phrase.map { [.note(context.strings[$0])] } ?? []
  }

  /// Lines under a heading of their own; nothing where there are none.
  private func section(_ heading: Phrase, _ lines: some Collection<MenuBox.Line>) -> [MenuBox.Line]
  {
    lines.isEmpty ? [] : [.blank, .heading(context.strings[heading])] + lines
  }

  /// How pictures are shown now, and why.
  private var pictureReason: [MenuBox.Line] {
    guard let choice = context.pictureChoice else { return [] }
    let now = context.strings(
      .picturesNow, PictureWords.method(choice.method, context.strings),
      PictureWords.reason(choice.reason, context.strings))
    return [.blank, .note(now)]
  }

  private func choice(of row: MenuModel.Row) -> MenuBox.Choice {
    let strings = context.strings
    let query = navigator.browser.feed.query
    switch row {
    case .order(let order):
      let isOffered = isOffered(order)
      return MenuBox.Choice(
        text: strings[order.phrase], mark: isOffered ? .one(query.order == order) : nil,
        isOffered: isOffered)
    case .filter(let filter):
      return MenuBox.Choice(
        text: strings[filter.phrase], mark: .several(query.filters.contains(filter)))
    case .pictures(let mode):
      return MenuBox.Choice(
        text: PictureWords.mode(mode, strings), mark: .one(mode == navigator.program.pictureMode))
    case .alert(let choice): return alert(choice)
    case .price: return MenuBox.Choice(text: strings[.bulkPrice])
    case .stock: return MenuBox.Choice(text: strings[.bulkStock])
    case .deletion: return MenuBox.Choice(text: strings[.bulkDelete])
    case .link(let link):
      return MenuBox.Choice(text: SafeText(link.address).truncated(toColumns: widest))
    case .contact(let contact): return MenuBox.Choice(text: contact.truncated(toColumns: widest))
    }
  }

  private func isOffered(_ order: ProductOrder) -> Bool {
    if case .orders(let market) = model.subject { market.orders.contains(order) } else { false }
  }

  private func alert(_ choice: AlertChoice) -> MenuBox.Choice {
    guard case .alerts(let target) = model.subject else { return MenuBox.Choice(text: .empty) }
    let strings = context.strings
    let alert = navigator.program.alerts?.alert(choice, for: target)
    let isOne = target.isOneProduct
    let text: SafeText =
      switch choice {
      case .below:
        alert.map { AlertText.condition($0.condition, strings) }
          ?? strings[isOne ? .alertBelow : .alertAnyBelow]
      case .backInStock: strings[isOne ? .alertForStock : .alertForAnyStock]
      case .anythingNew: strings[.alertForNew]
      case .all: strings[.alertAll]
      }
    return MenuBox.Choice(text: text, mark: choice == .all ? nil : .several(alert != nil))
  }
}
