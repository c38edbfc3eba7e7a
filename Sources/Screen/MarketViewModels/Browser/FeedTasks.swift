/// Tasks that read for the list of products: one for each page that is on its way, one that waits for
/// a moment without keys, and one that counts.
///
/// The spinner turns while a page or a count is awaited.
final class FeedTasks {
  private let spinner: Spinner
  private let clock: any Clock<Duration>
  private var pages: [FeedRequest: Task<Void, Never>] = [:]
  /// The pages whose task has begun and is not kept yet: what nobody has to be asked for ends at once.
  private var beginning: Set<FeedRequest> = []
  private var resting: Task<Void, Never>?
  private var counting: Task<Void, Never>?

  /// How long a burst of moves must rest before the page is asked for at which it ends, where one
  /// that it has passed is still on its way.
  private static let restDelay = Duration.milliseconds(60)

  init(spinner: Spinner, clock: any Clock<Duration>) {
    self.spinner = spinner
    self.clock = clock
  }

  /// Calls `act` where what is on its way takes long.
  func whenSlow(_ act: @escaping () -> Void) { spinner.didSlow = act }

  /// Reads a page; a second task for the same request takes the first one's place.
  func run(_ request: FeedRequest, read: @escaping @MainActor () async -> Void) {
    beginning.insert(request)
    let task = Task.immediate {
      await read()
      beginning.remove(request)
      // Another one may be on its way for the same by now.
      guard !Task.isCancelled else { return }
      pages[request] = nil
      stopSpinner()
    }
    guard beginning.remove(request) != nil else { return }
    pages[request] = task
    spinner.start()
  }

  /// Holds a task that counts, in the place of the one before.
  func hold(counting task: Task<Void, Never>) {
    counting?.cancel()
    counting = task
    spinner.start()
  }

  /// The count has come.
  func didCount() {
    counting = nil
    stopSpinner()
  }

  /// Loads when all keys that were typed so far have been taken, so that nothing is asked for that
  /// they only pass.
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

  /// Stops the spinner where nothing is on its way any more.
  func stopSpinner() {
    if pages.isEmpty, counting == nil { spinner.stop() }
  }
}

extension FeedRequest.Purpose {
  fileprivate var isFill: Bool {
    if case .fill = self { true } else { false }
  }
}
