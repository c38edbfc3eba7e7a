package import MarketModel
package import SafeTextKit

/// Dialog with a yes-or-no question about an operation.
package final class ConfirmationModel: Dialog {
  package let reply = Reply<Bool>()
  package let subject: Subject
  /// The selected answer; nil if the user has to select one first.
  @Observed package private(set) var isYes: Bool?
  /// Number of lines scrolled above the text, in a window that is too low for it.
  @Observed package private(set) var scrolledLines = 0

  /// Operation that needs a confirmation.
  package enum Subject: Hashable, Sendable {
    /// Registers the product of the form.
    case registration(FormValues)
    /// Sends the changes of a product.
    case edit(name: String, FieldChanges)
    case deletion(ListedProduct)
    case questionDeletion(Question)
    case undo(ListedProduct, FieldChanges, losesPhotos: Bool)
    case redo(ListedProduct, FieldChanges, losesPhotos: Bool)
    case photoRemoval(name: String)
    case draftRemoval(Draft)
    case templateRemoval(name: String)
    /// Discards a form whose draft could not be saved.
    case abandonment(name: String)
    /// Opens an address from a seller's text.
    case link(WebLink)
    /// Opens a market that is not remembered, for one of its products.
    case market(ProductAddress)
    /// Continues the draft of an edit.
    case draft(Draft)
    /// Sends a queued edit.
    case queued(Draft)
    /// Sets an alert on a price above today's, which triggers at once.
    case alert(AlertTarget, below: Money)
    /// Moves the personal data of a market to its new address; its name is nil for the local market.
    case relocation(from: SafeText?)

    fileprivate var isDestructive: Bool {
      switch self {
      case .deletion, .questionDeletion, .draftRemoval, .templateRemoval, .photoRemoval,
        .abandonment, .relocation:
        true
      case .registration, .edit, .undo, .redo, .link, .market, .draft, .queued, .alert: false
      }
    }

    /// The initially selected answer: “no” if it cannot be undone; nil for a dialog that opens by
    /// itself, because the next key may be meant for the layer below.
    fileprivate var firstAnswer: Bool? {
      switch self {
      case .relocation: nil
      default: !isDestructive
      }
    }
  }

  init(_ subject: Subject) {
    self.subject = subject
    isYes = subject.firstAnswer
  }

  /// Whether an answer is selected.
  package var hasChoice: Bool { isYes != nil }

  /// Whether only a key of the Latin layout may answer.
  package var isDestructive: Bool { subject.isDestructive }

  /// Scrolls the text; `limit` is the number of lines that do not fit.
  package func scroll(by lines: Int, limit: Int) {
    scrolledLines = (scrolledLines + lines).clamped(to: 0...max(0, limit))
  }

  /// Selects the other answer.
  package func chooseOther() { isYes = !(isYes ?? false) }

  package func answer(_ isYes: Bool) { reply.give(isYes) }

  /// Gives the selected answer, if there is one.
  package func confirm() { if let isYes { answer(isYes) } }

  package func cancel() { reply.give(nil) }
}
