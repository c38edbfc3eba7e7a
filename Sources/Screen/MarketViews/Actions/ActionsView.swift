internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

extension ActionsModel: ViewedLayer {
  package func view(in frame: Frame) -> ActionsView { ActionsView(model: self, frame: frame) }
}

/// The menu of what can be done with the chosen product.
package struct ActionsView: MenuLayerView {
  package let model: ActionsModel
  package let frame: Frame

  package static let bindings = BindingTable<ActionsView>(SharedBindings.menu())
  package static var opens: [any LayerView.Type] { [QuestionView.self] }

  /// Columns of a name above the choices, which are short words.
  private static let maxHeadingLength = 40

  /// One line of the menu.
  private enum Choice {
    case command(KeyRow)
    case link(WebLink)
    case contact(SafeText)
  }

  /// What the screen below does with a product, then where its text leads.
  private var choices: [Choice] {
    let rows = frame.view(below: model)?.rows ?? []
    return rows.filter { $0.group == .product }.map(Choice.command)
      + model.links.map(Choice.link) + [model.contact].compactMap(\.self).map(Choice.contact)
  }

  package func choose(_ index: Int?) {
    let choices = choices
    guard choices.indices.contains(index ?? model.selected) else { return }
    close()
    switch choices[index ?? model.selected] {
    case .command(let row): row.run()
    case .link(let link): navigator.follow(link)
    case .contact(let contact): navigator.program.delegate?.copy(contact)
    }
  }

  package func moveSelection(by distance: Int) { model.move(by: distance, of: choices.count) }

  /// The mouse, else the product in the screen below.
  private var anchor: CellRect? {
    guard let pointer = model.pointer else { return frame.view(below: model)?.selectedPlace }
    return CellRect(column: pointer.column, row: pointer.row, columns: 1, rows: 1)
  }

  package var box: MenuBox {
    let widest = frame.body.columns / 2
    let links = model.links.map { link in
      MenuBox.Line.choice(
        MenuBox.Choice(text: link.addressText.truncated(toColumns: widest)))
    }
    let commands = choices.compactMap { choice -> MenuBox.Line? in
      guard case .command(let row) = choice else { return nil }
      let key = row.keys.first.map(context.name) ?? .empty
      return .choice(
        MenuBox.Choice(text: context.strings[row.words], key: key))
    }
    let contact = [model.contact].compactMap(\.self).map { contact in
      MenuBox.Line.choice(MenuBox.Choice(text: contact.truncated(toColumns: widest)))
    }
    let heading = MenuBox.Line.heading(
      model.product.name.truncated(toColumns: min(widest, Self.maxHeadingLength)))
    return MenuBox(
      lines: [heading] + commands
        + section(.actionsLinks, links) + section(.actionsContact, contact),
      selected: model.selected, bounds: frame.body, anchor: anchor, context: context)
  }
}

extension ActionsView {
  /// Lines under a heading of their own; nothing where there are none.
  private func section(_ heading: Phrase, _ lines: [MenuBox.Line]) -> [MenuBox.Line] {
    lines.isEmpty ? [] : [.blank, .heading(context.strings[heading])] + lines
  }
}

extension WebLink {
  var addressText: SafeText { SafeText(address) }
}

extension Phrase {
  static var actionsLinks: Phrase { .named() }
  static var actionsContact: Phrase { .named() }
}
