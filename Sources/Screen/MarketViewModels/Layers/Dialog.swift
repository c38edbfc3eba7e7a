/// Layer that a flow presents and from which it awaits an answer.
@MainActor package protocol Dialog: Layer {
  associatedtype Answer

  /// Channel of the answer to the flow; nil is sent when the dialog is left.
  var reply: Reply<Answer> { get }
}

/// Channel of answers from a dialog to its flow; only the first answer after each `wait()` counts.
@MainActor package final class Reply<Answer> {
  private var flow: Flow?
  private var waiter: CheckedContinuation<Void, Never>?
  private var answer: Answer?

  package init() {}

  /// Sends an answer; nil leaves the dialog, or cancels the work of the flow if nothing waits.
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

  /// Connects the flow that reacts to the answers.
  func join(_ flow: Flow) { self.flow = flow }

  /// Waits for the next answer; nil where the dialog was left.
  func wait() async -> Answer? {
    await withCheckedContinuation { waiter = $0 }
    defer { answer = nil }
    return answer
  }
}

extension Dialog {
  /// Answers nil; called after the dialog was closed.
  func leave() { reply.give(nil) }
}
