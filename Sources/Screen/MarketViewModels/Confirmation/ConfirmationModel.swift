package import MarketModel
package import SafeTextKit

/// What is going to happen, which is answered with yes or no.
package final class ConfirmationModel: Dialog {
  package let reply = Reply<Bool>()
  package let subject: Subject
  /// The answer that is chosen and not given yet; nil where there is none until one chooses.
  @Observed package private(set) var isYes: Bool?
  /// Lines that are scrolled away above the text, where the window is too low for all of it.
  @Observed package private(set) var scrolledLines = 0

  package enum Subject: Hashable, Sendable {
    /// Registers what the form holds.
    case registration(FormValues)
    /// Sends these changes.
    case edit(name: String, FieldChanges)
    case deletion(ListedProduct)
    case questionDeletion(Question)
    case undo(ListedProduct, FieldChanges, losesPhotos: Bool)
    case redo(ListedProduct, FieldChanges, losesPhotos: Bool)
    case photoRemoval(name: String)
    case draftRemoval(Draft)
    case templateRemoval(name: String)
    /// Whether a form is left of which no draft could be kept.
    case abandonment(name: String)
    /// Whether an address that a seller wrote is opened elsewhere.
    case link(WebLink)
    /// Whether a market that nobody has named is opened for a product of it.
    case market(ProductAddress)
    /// Whether an edit that was left goes on.
    case draft(Draft)
    /// Whether an edit that waited for its market is sent.
    case queued(Draft)
    /// Whether what is kept of a market moves to the address where it says that it is now; its name is
    /// nil for the local one.
    case relocation(former: SafeText?)
    /// Whether what an earlier version kept of this market and another one as if they were one belongs
    /// here; no gives it to the other.
    case legacySharedData(other: SafeText)

    fileprivate var isDestructive: Bool {
      switch self {
      case .deletion, .questionDeletion, .draftRemoval, .templateRemoval, .photoRemoval,
        .abandonment,
        .relocation, .legacySharedData:
        true
      case .registration, .edit, .undo, .redo, .link, .market, .draft, .queued: false
      }
    }

    /// The answer that is chosen at first: “no” to what cannot be taken back, and nil to what comes
    /// unasked, for a key may come that was meant for what is below.
    fileprivate var firstAnswer: Bool? {
      switch self {
      case .relocation, .legacySharedData: nil
      default: !isDestructive
      }
    }
  }

  init(_ subject: Subject) {
    self.subject = subject
    isYes = subject.firstAnswer
  }

  /// Whether there is an answer to be confirmed.
  package var hasChoice: Bool { isYes != nil }

  /// Whether only a key of the Latin layout may answer.
  package var isDestructive: Bool { subject.isDestructive }

  /// Scrolls the text; `limit` is the number of lines that do not fit.
  package func scroll(by lines: Int, limit: Int) {
    scrolledLines = (scrolledLines + lines).clamped(to: 0...max(0, limit))
  }

  /// Chooses the other answer without giving it.
  package func chooseOther() { isYes = !(isYes ?? false) }

  package func answer(_ isYes: Bool) { reply.give(isYes) }

  /// Gives the answer that is chosen, where one is.
  package func confirm() { if let isYes { answer(isYes) } }

  package func cancel() { reply.give(nil) }
}
