import MarketStrings
package import MarketViewModels
internal import SafeTextKit
package import TerminalKit

extension SendingModel: ViewedLayer {
  package func view(in frame: Frame) -> SendingView { SendingView(model: self, frame: frame) }
}

/// Dialog during a transfer to the market, with a progress bar.
package struct SendingView: LayerView {
  package let model: SendingModel
  package let frame: Frame

  package static let bindings = BindingTable<SendingView>(
    [
      SharedBindings.cancel(footer: 10) { $0.model.cancel() }
    ]
      // The transfer continues while another market is shown.
      + SharedBindings.markets())
  package static var opens: [any LayerView.Type] { [ConflictView.self] }
  package static var takesOwnKeys: Bool { false }

  /// Takes all other keys, which have nothing to say while something is sent.
  package func edit(_ key: KeyPress) -> Bool { true }

  package func draw(on canvas: inout Canvas) {
    let box = Box(
      title: context.strings[model.purpose.phrase], rows: 2, in: frame.body, context)
    box.draw(on: &canvas)
    canvas.write(context.strings[.sending], at: box.content.origin, style: context.theme.text)
    guard let upload = model.upload, upload.total > 0 else { return }
    let bar = box.content.row(1)
    let done = bar.columns * min(upload.sent, upload.total) / upload.total
    canvas.fill(bar, style: context.theme.field)
    canvas.horizontalRule(
      at: bar.origin, columns: done, style: context.theme.selected(context.theme.accent),
      symbol: .heavyRule)
    let text = BytesText.text(upload.sent) + " / " + BytesText.text(upload.total)
    let start = box.content.origin.moved(columns: box.content.columns - text.columns)
    canvas.write(text, at: start, style: context.theme.secondary)
  }
}

extension SellingPurpose {
  /// Title of the dialogs about the purpose.
  var phrase: Phrase {
    switch self {
    case .registration: .titleRegistration
    case .edit: .titleEdit
    case .deletion: .titleDeletion
    case .undo: .titleUndo
    case .redo: .titleRedo
    case .renaming: .sellerNameTitle
    case .step(let step): step.phrase
    case .question: .keyAsk
    case .answer: .keyAnswer
    case .questionDeletion: .keyDeleteQuestion
    }
  }
}
