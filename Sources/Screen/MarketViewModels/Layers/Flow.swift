internal import MarketModel

/// One task of the user, from its first dialog to its end, as a function that reads from top to
/// bottom.
///
/// The function begins with `present` or `work`, and awaits only these and `next`. From an answer
/// until the next step the flow is turning: input is held, no frame is drawn, and the answered dialog
/// stays. When the function returns, all layers of the flow are closed.
package final class Flow {
  /// Form or list below the dialogs, which can answer more than once; nil for a flow of dialogs
  /// alone.
  @Observed private(set) var base: (any Dialog)?
  /// The dialog that is shown or was answered last; nil if there is none.
  @Observed private(set) var dialog: (any Dialog)?
  /// Whether an answer was given and no dialog was presented since.
  @Observed private(set) var isTurning = false
  /// Whether `work` runs while the flow has no layer on the stack.
  @Observed private(set) var isOpening = false
  @Observed private(set) var isEnded = false

  private let stack: LayerStack
  private var task: Task<Void, Never>?
  /// Cancels the running `work`; nil if none runs.
  private var cancelWork: (() -> Void)?

  init(on stack: LayerStack) {
    self.stack = stack
  }

  // MARK: Steps

  /// Shows a dialog in place of the previous one, or keeps it if it is the same, and waits for its
  /// answer.
  ///
  /// - Returns: nil if the dialog was left or closed, or the flow has ended.
  func present<Shown: Dialog>(_ dialog: Shown) async -> Shown.Answer? {
    guard !isEnded else { return nil }
    show(dialog)
    let answer = await dialog.reply.wait()
    return isEnded ? nil : answer
  }

  /// Closes the dialog and waits for the next answer of the base.
  ///
  /// - Returns: nil if the base was closed.
  func next<Shown: Dialog>(of base: Shown) async -> Shown.Answer? {
    guard self.base === base else { return nil }
    dismiss()
    let answer = await base.reply.wait()
    return isEnded ? nil : answer
  }

  /// Opens the base layer of the flow and closes everything the flow had open.
  func open<Shown: Dialog>(_ base: Shown) {
    guard !isEnded else { return }
    base.reply.join(self)
    place(base)
    dismiss()
    closeBase()
    isOpening = false
    self.base = base
  }

  /// Runs `body` under a dialog that shows the progress.
  ///
  /// The task of `body` is cancelled when the user leaves the dialog; work that must not be cancelled
  /// has to run in a task of its owner.
  ///
  /// - Returns: nil if the user left the dialog or the flow has ended; else the value, or the error
  ///   that `body` threw.
  func work<Shown: Dialog, Outcome: Sendable>(
    showing dialog: Shown,
    _ body: @escaping @MainActor () async throws(RepositoryError) -> Outcome
  ) async -> Result<Outcome, RepositoryError>? {
    if !isEnded { show(dialog) }
    return await work(body)
  }

  /// Runs `body` as `work(showing:_:)` does, below the dialog that was answered last, or without one.
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
      work.start(body)
    }
  }

  /// Closes the dialog; the base stays.
  func dismiss() {
    isTurning = false
    guard let dialog else { return }
    self.dialog = nil
    stack.remove(dialog)
  }

  /// Closes the base; the dialog over it stays.
  func closeBase() {
    guard let base else { return }
    self.base = nil
    stack.remove(base)
  }

  // MARK: From outside

  /// Presents dialogs on behalf of the base and returns to it at the end.
  func interject(_ body: @escaping @MainActor () async -> Void) {
    turn()
    Task.immediate {
      await body()
      dismiss()
    }
  }

  /// Presents a dialog over the base, closes it, and calls `act` with its answer unless it was left.
  func ask<Shown: Dialog>(_ dialog: Shown, then act: @escaping (Shown.Answer) -> Void) {
    interject { [self] in
      let answer = await present(dialog)
      dismiss()
      if let answer { act(answer) }
    }
  }

  /// Ends the flow: closes its layers and cancels its work.
  ///
  /// A second call does nothing.
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

  /// Runs the function and ends the flow after it; input is held until its first step.
  func run(_ body: @escaping @MainActor (Flow) async -> Void) {
    stack.add(self)
    turn()
    task = Task.immediate {
      await body(self)
      end()
    }
  }

  /// Cancels the running `work`, which then returns nil.
  func leaveWork() {
    guard let cancelWork else { return }
    turn()
    cancelWork()
  }

  /// Holds input until the next step.
  func turn() { isTurning = true }

  /// Answers nil for a layer that left the stack.
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

/// Task of `work`, which gives its result once: at its end or when it is cancelled.
@MainActor private final class Work<Outcome: Sendable> {
  private var waiter: CheckedContinuation<Result<Outcome, RepositoryError>?, Never>?
  private var task: Task<Void, Never>?

  init(_ waiter: CheckedContinuation<Result<Outcome, RepositoryError>?, Never>) {
    self.waiter = waiter
  }

  func start(_ body: @escaping @MainActor () async throws(RepositoryError) -> Outcome) {
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
  /// Begins a flow, which ends when `body` returns.
  @discardableResult func startFlow(_ body: @escaping @MainActor (Flow) async -> Void) -> Flow {
    let flow = Flow(on: self)
    flow.run(body)
    return flow
  }
}
