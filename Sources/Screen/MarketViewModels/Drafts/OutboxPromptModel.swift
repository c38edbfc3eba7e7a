package import EditorKit
package import MarketModel

/// Dialog for a queued registration: whether to send it now, and its password.
package final class OutboxPromptModel: Dialog {
  /// Answers the password, which the receiver wipes.
  package let reply = Reply<PasswordEditor>()
  package let draft: Draft
  /// Number of queued drafts, including this one.
  package let count: Int
  @Observed package private(set) var phase = Phase.offering(isYes: true)
  @Observed package private(set) var secret = PasswordEditor()
  /// Whether the password's characters are shown.
  @Observed package private(set) var isShown = false

  /// Question of the dialog.
  package enum Phase: Hashable, Sendable {
    /// Whether to send it, with the selected answer: keys that were meant for the list below must not
    /// become a password.
    case offering(isYes: Bool)
    /// The password, with the problem of the last one; nil for none.
    case asking(FieldError.Problem?)
  }

  init(_ draft: Draft, count: Int) {
    self.draft = draft
    self.count = count
  }

  package func didClose() { secret.wipe() }

  package func didCover() { isShown = false }

  /// Shows or hides the typed password.
  package func toggleShown() { isShown.toggle() }

  /// Selects the other answer.
  package func chooseOther() {
    if case .offering(let isYes) = phase { phase = .offering(isYes: !isYes) }
  }

  package func answer(_ isYes: Bool) {
    guard case .offering = phase else { return }
    if isYes { phase = .asking(nil) } else { cancel() }
  }

  package func edit(_ change: (inout PasswordEditor) -> Void) {
    guard case .asking = phase else { return }
    change(&secret)
    phase = .asking(nil)
  }

  /// Gives the selected answer, or the typed password.
  package func confirm() {
    switch phase {
    case .offering(let isYes): answer(isYes)
    case .asking:
      let least = FormRules[.password].length.lowerBound
      guard secret.characterCount >= least else {
        phase = .asking(.tooShort(minimum: least))
        return
      }
      let given = secret
      secret = PasswordEditor()
      reply.give(given)
    }
  }

  /// Puts the draft off until the market answers again.
  package func cancel() { reply.give(nil) }
}
