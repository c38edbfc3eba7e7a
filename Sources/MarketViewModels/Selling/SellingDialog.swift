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
    case undo(ListedProduct, losesPhotos: Bool)
    case photoRemoval(FormPhoto.ID, name: String)
    case draftRemoval(Draft.ID, name: String)
    /// Whether a form is left of which no draft could be kept.
    case abandonment(name: String)
    /// Whether an edit that was left goes on.
    case draft(Draft)
  }

  package let subject: Subject
  package internal(set) var isYes: Bool

  /// What cannot be taken back has no as its answer until one chooses.
  init(_ subject: Subject) {
    self.subject = subject
    isYes = !subject.isDestructive
  }

  /// Whether only a key of the Latin layout may say yes.
  package var isDestructive: Bool { subject.isDestructive }
}

extension SellingQuestion.Subject {
  fileprivate var isDestructive: Bool {
    switch self {
    case .deletion, .draftRemoval, .photoRemoval, .abandonment: true
    case .registration, .edit, .undo, .draft: false
    }
  }
}
