/// Tasks that load the list: one for each page in progress, one that waits until the keys rest, and
/// one that counts.
///
/// The spinner runs while a page or a count is awaited.
final class FeedTasks {
  private let spinner: Spinner
  private let clock: any Clock<Duration>
  private var pages: [FeedRequest: Task<Void, Never>] = [:]
  /// Pages whose task has started and is not in `pages` yet: a response without a wait ends it at
  /// once.
  private var beginning: Set<FeedRequest> = []
  private var resting: Task<Void, Never>?
  private var counting: Task<Void, Never>?

  /// Pause after the last move before the next page is requested, if a request for a page that was
  /// passed is still running.
  private static let restDelay = Duration.milliseconds(60)

  init(spinner: Spinner, clock: any Clock<Duration>) {
    self.spinner = spinner
    self.clock = clock
  }

  /// Sets the action for a request that is slow.
  func whenSlow(_ act: @escaping () -> Void) { spinner.didSlow = act }

  /// Runs the request for a page, in place of an earlier task for it.
  func run(_ request: FeedRequest, read: @escaping @MainActor () async -> Void) {
    beginning.insert(request)
    let task = Task.immediate {
      await read()
      beginning.remove(request)
      // A new task for the same request may have started.
      guard !Task.isCancelled else { return }
      pages[request] = nil
      stopSpinner()
    }
    guard beginning.remove(request) != nil else { return }
    pages[request] = task
    spinner.start()
  }

  /// Holds the counting task and cancels the one before.
  func hold(counting task: Task<Void, Never>) {
    counting?.cancel()
    counting = task
    spinner.start()
  }

  /// Releases the counting task after its end.
  func didCount() {
    counting = nil
    stopSpinner()
  }

  /// Loads the visible pages when all keys typed so far are handled, so that pages which were only
  /// passed are not requested.
  func rest(before reader: ListReader) {
    let isSuperseded = pages.keys.contains { $0.purpose.isFill }
    guard resting == nil || isSuperseded else { return }
    resting?.cancel()
    resting = Task {
      if isSuperseded { try? await clock.sleep(for: Self.restDelay) }
      guard !Task.isCancelled else { return }
      resting = nil
      reader.loadAhead()
    }
  }

  func cancel(_ requests: some Sequence<FeedRequest>) {
    for request in requests { pages.removeValue(forKey: request)?.cancel() }
  }

  func cancelAll() {
    cancel(Array(pages.keys))
    for task in [resting, counting] { task?.cancel() }
    (resting, counting) = (nil, nil)
  }

  /// Stops the spinner if no task runs.
  func stopSpinner() {
    if pages.isEmpty, counting == nil { spinner.stop() }
  }
}

extension FeedRequest.Purpose {
  fileprivate var isFill: Bool {
    if case .fill = self { true } else { false }
  }
}
