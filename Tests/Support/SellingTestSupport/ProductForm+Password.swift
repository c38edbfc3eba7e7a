import EditorKit
import MarketViewModels

@MainActor extension ProductForm {
  /// Types a password and repeats it; what has the focus keeps it.
  package mutating func setPassword(_ text: String) {
    let focused = focus
    for isRepeating in [false, true] {
      focusPassword(repeating: isRepeating)
      editPassword { $0.type(text) }
    }
    focus(focused)
  }
}
