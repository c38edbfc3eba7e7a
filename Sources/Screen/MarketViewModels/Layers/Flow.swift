internal import MarketModel

/// Flow: what a person does, from its first dialog to its end, as one function that reads from top to
/// bottom.
///
/// The function begins with `present` or `work`, and awaits these and `next` alone. From an answer until
/// the next of them the flow is turning: input waits, no frame is made, and the dialog that was answered
/// stays as it is. At its end all that it has on the stack is closed.
package final class Flow {
  /// The form or list that lies under the dialogs and answers more than once; nil for a flow of dialogs
  /// alone.
  @Observed private(set) var base: (any Dialog)?
  /// The dialog that is shown or was answered last.
  @Observed private(set) var dialog: (any Dialog)?
  /// Whether an answer was given and nothing was presented since.
  @Observed private(set) var isTurning = false
  /// Whether `work` goes on while the flow has no layer on the stack.
  @Observed private(set) var isOpening = false
  @Observed private(set) var isEnded = false

  private let stack: LayerStack
  private var task: Task<Void, Never>?
  /// Cancels what `work` waits for; nil where it waits for nothing.
  private var cancelWork: (() -> Void)?

  init(on stack: LayerStack) {
    self.stack = stack
  }

  // MARK: Steps

  /// Shows a dialog in the place of the one before, or goes on with that one, and waits for its answer.
  ///
  /// - Returns: nil where the dialog was left or closed, or the flow has ended.
  func present<Shown: Dialog>(_ dialog: Shown) async -> Shown.Answer? {
    guard !isEnded else { return nil }
    show(dialog)
    let answer = await dialog.reply.wait()
    return isEnded ? nil : answer
  }

  /// Waits for the next answer of the base, with no dialog over it.
  ///
  /// - Returns: nil where the base was closed.
  func next<Shown: Dialog>(of base: Shown) async -> Shown.Answer? {
    guard self.base === base else { return nil }
    dismiss()
    let answer = await base.reply.wait()
    return isEnded ? nil : answer
  }

  /// Puts a layer under the dialogs that are to come, in the place of everything that is open.
  func open<Shown: Dialog>(_ base: Shown) {
    guard !isEnded else { return }
    base.reply.join(self)
    place(base)
    dismiss()
    closeBase()
    isOpening = false
    self.base = base
  }

  /// Waits for something that the flow cannot go on without, under a dialog that says so.
  ///
  /// It has a task of its own, which is cancelled where one leaves; what must not be cancelled, it does
  /// in tasks of their owners.
  ///
  /// - Returns: nil where one has left, or the flow has ended.
  func work<Shown: Dialog, Outcome: Sendable>(
    showing dialog: Shown,
    _ body: @escaping @MainActor () async throws(RepositoryError) -> Outcome
  ) async -> Result<Outcome, RepositoryError>? {
    if !isEnded { show(dialog) }
    return await work(body)
  }

  /// The same under what is there: the dialog that was answered, or nothing.
  func work<Outcome: Sendable>(
    _ body: @escaping @MainActor () async throws(RepositoryError) -> Outcome
  ) async -> Result<Outcome, RepositoryError>? {
    guard !isEnded else { return nil }
    isTurning = false
    isOpening = dialog == nil && base == nil
    defer { cancelWork = nil }
    return await withCheckedContinuation { continuation in
      let work = Work(continuation)
      cancelWork = { work.cancel() }
      work.begin(body)
    }
  }

  /// Takes the dialog away, back to the base.
  func dismiss() {
    isTurning = false
    guard let dialog else { return }
    self.dialog = nil
    stack.remove(dialog)
  }

  /// Takes the base away and leaves the dialog over it.
  func closeBase() {
    guard let base else { return }
    self.base = nil
    stack.remove(base)
  }

  // MARK: From outside

  /// Presents dialogs that the base asks for by itself, and shows the base again in the end.
  func interject(_ body: @escaping @MainActor () async -> Void) {
    turn()
    Task.immediate {
      await body()
      dismiss()
    }
  }

  /// Presents a dialog over the base, and takes it away again before its answer is acted on.
  func ask<Shown: Dialog>(_ dialog: Shown, then act: @escaping (Shown.Answer) -> Void) {
    interject { [self] in
      let answer = await present(dialog)
      dismiss()
      if let answer { act(answer) }
    }
  }

  /// Ends it: closes all that it has on the stack, and cancels what it waits for.
  func end() {
    guard !isEnded else { return }
    isEnded = true
    stack.forget(self)
    leaveWork()
    task?.cancel()
    let open = [dialog, base].compactMap(\.self)
    (dialog, base, isOpening) = (nil, nil, false)
    for layer in open {
      stack.remove(layer)
      layer.leave()
    }
  }

  /// Runs the function, and ends with it; until its first step input waits.
  func run(_ body: @escaping @MainActor (Flow) async -> Void) {
    stack.add(self)
    turn()
    task = Task.immediate {
      await body(self)
      end()
    }
  }

  /// Waits no longer for what is worked on.
  func leaveWork() {
    guard let cancelWork else { return }
    turn()
    cancelWork()
  }

  /// Lets input wait until the next step.
  func turn() { isTurning = true }

  /// A layer left the stack: what it was asked is answered by that.
  func didClose(_ layer: any Layer) {
    let closed = [dialog, base].compactMap(\.self).filter { $0 === layer }
    if dialog === layer { dialog = nil }
    if base === layer { base = nil }
    for dialog in closed { dialog.leave() }
  }

  // MARK: Layers

  private func show<Shown: Dialog>(_ dialog: Shown) {
    isTurning = false
    guard self.dialog !== dialog else { return }
    dialog.reply.join(self)
    place(dialog)
    dismiss()
    isOpening = false
    self.dialog = dialog
  }

  private func place(_ layer: any Layer) {
    if let below = dialog ?? base { stack.push(layer, over: below) } else { stack.push(layer) }
  }
}

/// Task that a flow waits for until it ends or is left.
@MainActor private final class Work<Outcome: Sendable> {
  private var waiter: CheckedContinuation<Result<Outcome, RepositoryError>?, Never>?
  private var task: Task<Void, Never>?

  init(_ waiter: CheckedContinuation<Result<Outcome, RepositoryError>?, Never>) {
    self.waiter = waiter
  }

  func begin(_ body: @escaping @MainActor () async throws(RepositoryError) -> Outcome) {
    task = Task.immediate {
      do throws(RepositoryError) {
        end(.success(try await body()))
      } catch {
        end(.failure(error))
      }
    }
  }

  func cancel() {
    task?.cancel()
    end(nil)
  }

  private func end(_ result: Result<Outcome, RepositoryError>?) {
    waiter?.resume(returning: result)
    waiter = nil
  }
}

extension LayerStack {
  /// Begins a flow, and ends it with its function.
  @discardableResult func begin(_ body: @escaping @MainActor (Flow) async -> Void) -> Flow {
    let flow = Flow(on: self)
    flow.run(body)
    return flow
  }
}
