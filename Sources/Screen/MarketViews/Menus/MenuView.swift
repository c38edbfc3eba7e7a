internal import MarketModel
import MarketStrings
package import MarketViewModels
package import SafeTextKit
package import TerminalKit

extension MenuModel: ViewedLayer {
  package func view(in frame: Frame) -> MenuView { MenuView(model: self, frame: frame) }
}

/// Menu with numbered rows, anchored at its subject.
package struct MenuView: BoxedListView {
  package let model: MenuModel
  package let frame: Frame
  /// Commands of the screen below on the product; empty in other menus.
  private let commands: [KeyRow]

  package static let bindings = BindingTable<MenuView>(
    SharedBindings.boxedList(switching: \.isOnFilter)
      + [SharedBindings.back([.escape, "q"], footer: 20), SharedBindings.quit()])
  package static var opens: [any LayerView.Type] {
    [
      PromptView.self, PersonalListView.self, PasswordView.self, BulkEditView.self,
      ConfirmationView.self,
    ]
  }

  init(model: MenuModel, frame: Frame) {
    self.model = model
    self.frame = frame
    guard case .product = model.subject else {
      commands = []
      return
    }
    commands = frame.view(below: model)?.rows.filter { $0.group == .product } ?? []
  }

  private var isOnFilter: Bool { if case .filter = list.selected { true } else { false } }

  package func choose(_ row: MenuModel.Row) {
    guard case .command(let name) = row else { return model.choose(row) }
    close()
    commands.first { $0.name == name }?.run()
  }

  package var sections: [ListSection<MenuModel.Heading, MenuModel.Row>] {
    [ListSection(.subject, commands.map { .command($0.name) })] + model.sections
  }

  // MARK: Drawing

  package var box: Box {
    let size = CellSize(
      columns: contentColumns { line(of: $0).columns } + 4, rows: contentRows + 2)
    guard let anchor else { return Box(dropping: size, from: frame.body, context) }
    return Box(of: size, at: anchor, in: frame.body, context)
  }

  /// Pointer, else the subject's position in the screen below; nil for menus at the top bar.
  private var anchor: CellRect? {
    switch model.subject {
    case .product(_, let pointer?):
      CellRect(column: pointer.column, row: pointer.row, columns: 1, rows: 1)
    case .product: frame.view(below: model)?.selectedPlace
    case .alerts(let target):
      // A seller has no row in the list.
      if case .seller = target.subject { nil } else { frame.view(below: model)?.selectedPlace }
    case .report: frame.view(below: model)?.selectedPlace
    case .orders, .pictures, .marked: nil
    }
  }

  /// Maximum columns of a heading; the choices themselves are short.
  private static let maxHeadingLength = 40

  private var widest: Int { frame.body.columns / 2 }

  package func text(of heading: MenuModel.Heading) -> SafeText {
    let strings = context.strings
    let name: SafeText
    switch heading {
    case .filters: return strings[.menuFilter]
    case .links: return strings[.actionsLinks]
    case .contact: return strings[.actionsContact]
    case .subject:
      switch model.subject {
      case .orders: return strings[.menuOrder]
      case .pictures: return strings[.keyPictures]
      case .marked(let count): return strings.counted(.bulkTitle, count)
      case .report: return strings[.reportTitle]
      case .alerts(let target): name = SafeText(target.name)
      case .product(let product, _): name = product.name
      }
    }
    return name.truncated(toColumns: min(widest, Self.maxHeadingLength))
  }

  package var notes: [SafeText] {
    switch model.subject {
    case .orders(let capabilities):
      let phrases: [Phrase?] = [
        capabilities.lacksOrders ? .hintOrderLacking : nil,
        capabilities.scansForFilters ? .filtersScanned : nil,
      ]
      return phrases.compactMap(\.self).map { context.strings[$0] }
    case .pictures: return [pictureReason].compactMap(\.self)
    case .alerts: return [context.strings[.alertNote]]
    case .report: return [context.strings[.reportNote]]
    case .marked, .product: return []
    }
  }

  /// Present picture method with its reason; nil before the choice.
  private var pictureReason: SafeText? {
    context.pictureChoice.map { choice in
      context.strings(
        .picturesNow, PictureWords.method(choice.method, context.strings),
        PictureWords.reason(choice.reason, context.strings))
    }
  }

  package func words(of row: MenuModel.Row) -> [SafeText] { [line(of: row).text] }

  package func draw(_ row: MenuModel.Row, in place: ListRow, on canvas: inout Canvas) {
    line(of: row).draw(in: place, on: &canvas)
  }

  private func line(of row: MenuModel.Row) -> ListLine {
    let strings = context.strings
    let query = navigator.browser.feed.query
    switch row {
    case .order(let order):
      let isOffered = isOffered(order)
      return ListLine(
        text: strings[order.phrase],
        mark: isOffered ? (query.order == order ? .filledDot : .emptyDot) : nil,
        isOffered: isOffered)
    case .filter(let filter):
      return ListLine(
        text: strings[filter.phrase],
        mark: query.filters.contains(filter) ? .checked : .unchecked)
    case .pictures(let mode):
      return ListLine(
        text: PictureWords.mode(mode, strings),
        mark: mode == navigator.program.pictureMode ? .filledDot : .emptyDot)
    case .alert(let choice): return alert(choice)
    case .price: return ListLine(text: strings[.bulkPrice])
    case .stock: return ListLine(text: strings[.bulkStock])
    case .step(let step): return ListLine(text: strings[step.phrase])
    case .deletion: return ListLine(text: strings[.bulkDelete])
    case .reason(let reason): return ListLine(text: strings[reason.phrase])
    case .command(let name):
      guard let row = commands.first(where: { $0.name == name }) else {
        return ListLine(text: .empty)
      }
      return ListLine(
        text: strings[row.words], remark: row.keys.first.map(context.name) ?? .empty,
        isRemarkStrong: true)
    case .link(let link):
      return ListLine(text: SafeText(link.address).truncated(toColumns: widest))
    case .contact(let contact): return ListLine(text: contact.truncated(toColumns: widest))
    }
  }

  private func isOffered(_ order: ProductOrder) -> Bool {
    if case .orders(let market) = model.subject { market.orders.contains(order) } else { false }
  }

  private func alert(_ choice: AlertChoice) -> ListLine {
    guard case .alerts(let target) = model.subject else { return ListLine(text: .empty) }
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
    return ListLine(
      text: text, mark: choice == .all ? nil : alert == nil ? .unchecked : .checked,
      remark: choice == .below
        ? target.price.map { AlertText.priceToday($0, strings) } ?? .empty : .empty)
  }
}
