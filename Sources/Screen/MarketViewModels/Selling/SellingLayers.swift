import Observation

/// What a seller has open: a form, and over it or alone one dialog at a time.
@Observable
final class SellingLayers {
  private(set) var form: FormModel?
  /// What asks something, in the place of what asked before.
  private(set) var dialog: (any Layer)?

  private let stack: LayerStack

  init(on stack: LayerStack) {
    self.stack = stack
  }

  var isEmpty: Bool { form == nil && dialog == nil }

  /// Puts a form in the place of everything that was open.
  func open(_ form: FormModel) {
    place(form)
    closeAll()
    self.form = form
  }

  func show(_ dialog: any Layer) {
    place(dialog)
    closeDialog()
    self.dialog = dialog
  }

  func closeDialog() {
    guard let dialog else { return }
    self.dialog = nil
    stack.remove(dialog)
  }

  /// Takes the form away and leaves the dialog over it.
  func closeForm() {
    guard let form else { return }
    self.form = nil
    stack.remove(form)
  }

  func closeAll() {
    closeDialog()
    closeForm()
  }

  private func place(_ layer: any Layer) {
    if let below = dialog ?? form { stack.push(layer, over: below) } else { stack.push(layer) }
  }
}
