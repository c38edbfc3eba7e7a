/// Layer that a flow presents and that gives it an answer.
@MainActor package protocol Dialog: Layer {
  associatedtype Answer

  /// Takes the answer; nil where one leaves the dialog.
  var reply: Reply<Answer> { get }
}

/// Way of an answer from a dialog to its flow: the first one counts, until the flow waits again.
@MainActor package final class Reply<Answer> {
  private var flow: Flow?
  private var waiter: CheckedContinuation<Void, Never>?
  private var answer: Answer?

  package init() {}

  /// Gives the answer; nil leaves the dialog, and the work that goes on under it.
  func give(_ answer: Answer?) {
    guard let waiter else {
      if answer == nil { flow?.leaveWork() }
      return
    }
    self.waiter = nil
    self.answer = answer
    flow?.turn()
    waiter.resume()
  }

  /// Lets a flow know of answers from now on.
  func join(_ flow: Flow) { self.flow = flow }

  /// Waits for the next answer; nil where the dialog was left.
  func wait() async -> Answer? {
    await withCheckedContinuation { waiter = $0 }
    defer { answer = nil }
    return answer
  }
}

extension Dialog {
  /// Leaves the dialog, which has been closed.
  func leave() { reply.give(nil) }
}
