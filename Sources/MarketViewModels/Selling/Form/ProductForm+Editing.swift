package import EditorKit
internal import MarketModel

/// Changes of the fields.
extension ProductForm {
  /// What can be done to the text of any field.
  package struct Change {
    let apply: (inout any TextEditing) -> Void

    package init(_ apply: @escaping (inout any TextEditing) -> Void) {
      self.apply = apply
    }
  }

  /// Changes the text that has the focus; where that is no text, nothing happens.
  package mutating func edit(_ change: Change) {
    switch focus {
    case .name: name = changed(name, by: change)
    case .price: price = changed(price, by: change)
    case .discount: discount = changed(discount, by: change)
    case .stock: stock = changed(stock, by: change)
    case .description: description = changed(description, by: change)
    case .pictures, .currency, .password: return
    }
    recheck(focus)
    if focus == .price { recheck(.discount) }
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

  private func changed<Editor: TextEditing>(_ editor: Editor, by change: Change) -> Editor {
    var any: any TextEditing = editor
    change.apply(&any)
    return any as? Editor ?? editor
  }
}
