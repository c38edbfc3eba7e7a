package import EditorKit
internal import MarketModel

/// Changes of the fields.
extension ProductForm {
  /// Changes the text that has the focus; where that is no text, nothing happens.
  package mutating func edit(_ change: TextChange) {
    switch focus {
    case .name: change.apply(to: &name)
    case .price: change.apply(to: &price)
    case .discount: change.apply(to: &discount)
    case .stock: change.apply(to: &stock)
    case .description: change.apply(to: &description)
    case .pictures, .currency, .password: return
    }
    recheck(focus)
    if focus == .price { recheck(.discount) }
  }

  /// Puts pasted text into the field that has the focus; false where not all of it was taken.
  package mutating func paste(_ text: String) -> Bool {
    guard focus != .password else { return password.type(text) }
    var isWhole = true
    edit(TextChange { isWhole = $0.paste(text) })
    return isWhole
  }

  /// Changes the description in ways that only it knows.
  package mutating func editDescription(_ change: (inout TextEditor) -> Void) {
    change(&description)
    recheck(.description)
  }

  package mutating func editPassword(_ change: (inout SecretEditor) -> Void) {
    change(&password)
    recheck(.password)
  }

  package mutating func editPhotos(_ change: (inout PhotoList) -> Void) {
    change(&photos)
    recheck(.pictures)
  }
}
