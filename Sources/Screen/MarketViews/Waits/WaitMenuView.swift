internal import EditorKit
internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeText
package import TerminalKit

extension WaitMenuModel: ViewedLayer {
  package func view(in frame: Frame) -> WaitMenuView { WaitMenuView(model: self, frame: frame) }
}

/// The menu of what one may wait for, with what one waits for already.
package struct WaitMenuView: MenuLayerView {
  package let model: WaitMenuModel
  package let frame: Frame

  package static let bindings = BindingTable<WaitMenuView>(SharedBindings.menu())
  package static var opens: [any LayerView.Type] { [WaitAmountView.self, WaitsView.self] }

  /// Columns of a name above the choices, which are short words.
  private static let longestHeading = 40

  package func choose(_ index: Int?) {
    guard model.items.indices.contains(index ?? model.selected) else { return }
    if let index { model.select(index) }
    model.choose()
  }

  package func moveSelection(by distance: Int) { model.move(by: distance) }

  package var box: MenuBox {
    let name = SafeText(model.target.name).truncated(toColumns: Self.longestHeading)
    let choices = model.items.flatMap { item -> [MenuBox.Line] in
      let choice = MenuBox.Line.choice(choice(of: item))
      return item == .all ? [.blank, choice] : [choice]
    }
    return MenuBox(
      lines: [.heading(name)] + choices + [.blank, .note(context.strings[.waitNote])],
      selected: model.selected, bounds: frame.body, context: context)
  }

  private func choice(of item: WaitMenuModel.Item) -> MenuBox.Choice {
    let strings = context.strings
    let text: SafeText =
      switch item {
      case .below(let wait):
        wait.map { HitText.condition($0.condition, strings) }
          ?? strings[model.target.isOneProduct ? .waitBelow : .waitAnyBelow]
      case .backInStock: strings[model.target.isOneProduct ? .waitForStock : .waitForAnyStock]
      case .anythingNew: strings[.waitForNews]
      case .all: strings[.waitAll]
      }
    return MenuBox.Choice(text: text, mark: item == .all ? nil : .several(item.wait != nil))
  }
}

extension WaitAmountModel: ViewedLayer {
  package func view(in frame: Frame) -> WaitAmountView {
    WaitAmountView(model: self, frame: frame)
  }
}

/// The question below which price something is told.
package struct WaitAmountView: LineView {
  package let model: WaitAmountModel
  package let frame: Frame

  package static let bindings = BindingTable<WaitAmountView>(
    [
      Binding("confirm", [.enter], .keyConfirm, footer: 10) { $0.model.confirm() },
      SharedBindings.cancel(footer: 20) { $0.model.cancel() },
    ])
  package static var takesOwnKeys: Bool { false }

  package func draw(on canvas: inout Canvas) { dialog.draw(on: &canvas) }

  package var field: FieldLine { dialog.field }

  private var dialog: SubjectDialog {
    SubjectDialog(
      title: context.strings[.waitBelowTitle],
      subject: model.problem.map(text) ?? SafeText(model.name), isError: model.problem != nil,
      label: MoneyText.code(model.currency), editor: model.editor,
      frame: frame)
  }

  private func text(of problem: AmountError) -> SafeText {
    problem == .noAmount
      ? context.strings[.waitAmountRefused] : ProblemText.text(problem, context.strings)
  }
}

extension SharedBindings {
  /// The menu of waits for what is shown, and the list of all; `when` says whether there is something
  /// to wait for, `begin` opens the menu.
  static func waits<V: LayerView>(
    when applies: @escaping (V) -> Bool = { _ in true },
    begin: @escaping (V) -> Void = { $0.navigator.beginWait() }
  ) -> [Binding<V>] {
    let isKept = { (view: V) in view.navigator.program.waits != nil }
    return [
      Binding("add-alert", ["t"], .keyWatch, when: { isKept($0) && applies($0) }) { begin($0) }
        .grouped(.product).needing(.paletteNoProduct),
      Binding(waitsName, ["T"], .keyWaits, when: isKept) { WaitsModel.open(on: $0.navigator) }
        .grouped(.browse),
    ]
  }

  /// The command that opens the list of waits; a click on the mark in the top bar does so.
  static let waitsName = "alerts"
}

extension Phrase {
  static var keyWatch: Phrase { .named() }
  static var keyWaits: Phrase { .named() }
  static var waitBelow: Phrase { .named() }
  static var waitAnyBelow: Phrase { .named() }
  static var waitBelowTitle: Phrase { .named() }
  static var waitAmountRefused: Phrase { .named() }
  static var waitAll: Phrase { .named() }
  static var waitForStock: Phrase { .named() }
  static var waitForAnyStock: Phrase { .named() }
  static var waitForNews: Phrase { .named() }
  static var waitNote: Phrase { .named() }
}
