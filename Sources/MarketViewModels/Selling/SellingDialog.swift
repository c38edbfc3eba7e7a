package import EditorKit
package import MarketModel

/// What asks the seller something, over the form or over the list.
package enum SellingDialog {
  case drafts(DraftList)
  case password(PasswordPrompt)
  case sellerName(LineEditor)
  case photoPath(PhotoPathLine)
  case picker(FolderPicker)
  /// The currencies, by the index of the selected one.
  case currency(selected: Int)
  case question(SellingQuestion)
  case sending(SellingIntent.Purpose)
  case conflict(ConflictModel)
}

/// The question for a product's password.
package struct PasswordPrompt {
  package let purpose: SellingIntent.Purpose
  package let product: ListedProduct
  package internal(set) var gate = PasswordGate()
  package internal(set) var secret = SecretEditor()
}

/// A question that is answered with yes or no.
package struct SellingQuestion {
  package enum Subject: Hashable, Sendable {
    /// Registers what the form holds.
    case registration(name: String, photoCount: Int)
    /// Sends these changes.
    case edit(name: String, fields: [ProductField])
    case deletion(ListedProduct)
    case undo(ListedProduct)
    case photoRemoval(name: String)
    case draftRemoval(Draft.ID, name: String)
    /// Whether an edit that was left goes on.
    case draft(Draft)
  }

  package let subject: Subject
  package internal(set) var isYes: Bool

  /// What cannot be taken back has no as its answer until one chooses.
  init(_ subject: Subject) {
    self.subject = subject
    switch subject {
    case .registration, .edit, .undo, .draft: isYes = true
    case .deletion, .photoRemoval, .draftRemoval: isYes = false
    }
  }

  /// Whether only a key of the Latin layout may say yes.
  package var isDestructive: Bool {
    switch subject {
    case .deletion, .draftRemoval, .photoRemoval: true
    case .registration, .edit, .undo, .draft: false
    }
  }
}
