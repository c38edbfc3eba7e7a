package import EditorKit
package import MarketModel

/// The box about a registration that waited for its market: whether it is to be sent now, and then
/// its password.
package final class OutboxPromptModel: Dialog {
  /// The password, which is to be wiped.
  package let reply = Reply<PasswordEditor>()
  package let draft: Draft
  /// How many wait, this one among them.
  package let count: Int
  @Observed package private(set) var phase = Phase.offering(isYes: true)
  @Observed package private(set) var secret = PasswordEditor()
  /// Whether its characters are shown.
  @Observed package private(set) var isShown = false

  /// What the box asks.
  package enum Phase: Hashable, Sendable {
    /// Whether it is to be sent, with the answer that is chosen: what was typed for the products is
    /// no password.
    case offering(isYes: Bool)
    /// Its password, with what is wrong with the last one.
    case asking(FieldError.Problem?)
  }

  init(_ draft: Draft, count: Int) {
    self.draft = draft
    self.count = count
  }

  package func didClose() { secret.wipe() }

  package func didCover() { isShown = false }

  /// Shows the password that is typed, or hides it again.
  package func toggleShown() { isShown.toggle() }

  /// Chooses the other answer without giving it.
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

  /// Gives the answer that is chosen, or the password that was typed.
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

  /// Puts it off until the market is there the next time.
  package func cancel() { reply.give(nil) }
}
