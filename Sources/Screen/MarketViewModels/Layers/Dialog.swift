/// Layer that a flow presents and that gives it an answer.
@MainActor package protocol Dialog: Layer {
  associatedtype Given: Sendable

  /// Takes the answer; nil where one leaves the dialog.
  var reply: Reply<Given> { get }
}

/// Way of an answer from a dialog to its flow: the first one counts, until the flow waits again.
@MainActor package final class Reply<Answer: Sendable> {
  private var flow: Flow?
  private var waiter: CheckedContinuation<Answer?, Never>?

  package init() {}

  /// Gives the answer; nil leaves the dialog, and the work that goes on under it.
  func give(_ answer: Answer?) {
    guard let waiter else {
      if answer == nil { flow?.leaveWork() }
      return
    }
    self.waiter = nil
    flow?.turn()
    waiter.resume(returning: answer)
  }

  /// Lets a flow know of answers from now on.
  func join(_ flow: Flow) { self.flow = flow }

  func wait() async -> Answer? { await withCheckedContinuation { waiter = $0 } }
}

extension Dialog {
  /// Leaves the dialog, which has been closed.
  func leave() { reply.give(nil) }
}
