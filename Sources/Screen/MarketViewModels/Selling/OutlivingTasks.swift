/// Tasks that continue after the model that began them, until the end of the program: writes of
/// drafts and accounts.
final class OutlivingTasks {
  private var tasks: [Int: Task<Void, Never>] = [:]
  private var count = 0

  func run(_ body: @escaping @MainActor () async -> Void) {
    count += 1
    let number = count
    let task = Task.immediate { await body() }
    tasks[number] = task
    Task {
      await task.value
      tasks[number] = nil
    }
  }

  /// Waits for all tasks.
  func finish() async {
    for task in Array(tasks.values) { await task.value }
  }
}
