internal import EditorKit
internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeText
package import TerminalKit

extension SellingLayer: ViewedLayer {
  package func view(in frame: Frame) -> SellingLayerView {
    SellingLayerView(model: self, frame: frame)
  }
}

/// The form, and what asks the seller something over it.
package struct SellingLayerView: LayerView {
  package let model: SellingLayer
  package let frame: Frame

  package static let bindings: [Binding<SellingLayerView>] = SellingFocus.all.flatMap { focus in
    let footer = SellingKeys.footer(for: focus)
    let bindings = SellingKeys.bindings(for: focus)
    let commands = bindings.map(\.command).reduce(into: [Command]()) { commands, command in
      if !commands.contains(command) { commands.append(command) }
    }
    return commands.flatMap { command -> [Binding<SellingLayerView>] in
      let keys = bindings.filter { $0.command == command }.flatMap(\.keys)
      let place = footer.firstIndex(of: command)
      let run = { (view: SellingLayerView) in view.run(command) }
      let row = Binding(
        command.name, keys, command.phrase, footer: place,
        isDestructive: command.isDestructive, when: { $0.focus == focus }, run)
      guard command == .submit else { return [row] }
      let sending = Binding(
        command.name, keys, .answerSend, footer: place,
        when: { $0.focus == focus && $0.selling.isEditing }, run)
      return [sending, row]
    }
  }
  package static var takesOwnKeys: Bool { false }

  private var selling: SellingModel { model.selling }
  private var focus: SellingFocus { SellingFocus(of: selling) }
  private var router: SellingRouter { SellingRouter(frame: frame) }

  package var coversBody: Bool { selling.form != nil }
  package var isText: Bool { focus.isText }
  package var needsTypedKeys: Bool { focus == .question(isDestructive: true) }

  private func run(_ command: Command) {
    command == .help ? navigator.openHelp() : router.run(command)
  }

  package func edit(_ key: KeyPress) -> Bool { router.edit(key, in: focus) }

  package func paste(_ text: String) -> Bool {
    router.paste(text)
    return true
  }

  package func press(at point: CellPoint) -> Bool {
    router.press(at: point)
    return true
  }

  package func scroll(by notches: Int) -> Bool {
    router.turnWheel(notches)
    return true
  }

  /// What the form is for: a new product and who sells it, or the product's name.
  package var title: WindowTitle? {
    guard let form = selling.form else { return nil }
    let note = selling.savedAt.map { context.strings(.formSaved, DateText.time($0)) } ?? .empty
    switch form.purpose {
    case .registration:
      let title = context.strings[.titleRegistration]
      let seller = selling.seller.map { title + " · " + SafeText($0.name) }
      return WindowTitle(seller ?? title, note: note)
    case .edit(let detail):
      let name = SafeText(detail.product.name)
      return WindowTitle(context.strings[.titleEdit] + " · " + name, note: note)
    }
  }

  package func draw(on canvas: inout Canvas) {
    if let form = selling.form {
      let hasKeys = navigator.stack.top === model && selling.dialog == nil
      FormView(form, bounds: frame.body, hasKeys: hasKeys, context: context)
        .draw(on: &canvas, gallery: frame.gallery)
    }
    guard navigator.stack.top === model else { return }
    router.sellingView?.draw(on: &canvas, gallery: frame.gallery)
  }

  package var wants: [PictureWant] {
    guard let form = selling.form else { return [] }
    let photos = PhotoStrip.wants(
      form, FormLayout(frame.body, form: form), style: context.pictures)
    guard case .picker(let picker) = selling.dialog else { return photos }
    return PickerView(picker: picker, bounds: frame.body, context: context)
      .wants(style: context.pictures) + photos
  }
}

extension SellingFocus {
  fileprivate static let all: [SellingFocus] = [
    .photos, .line, .currency, .description, .secret, .password, .sellerName, .photoPath, .picker,
    .currencies, .drafts, .conflict, .sending, .question(isDestructive: true),
    .question(isDestructive: false),
  ]
}
