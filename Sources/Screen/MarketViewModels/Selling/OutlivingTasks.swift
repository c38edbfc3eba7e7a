/// Tasks that go on after what began them, until the program ends: drafts and accounts on their way to
/// the disk.
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

  /// Waits for all of them.
  func finish() async {
    for task in Array(tasks.values) { await task.value }
  }
}
