/// What a person wants to be moved.
package struct TransferOrder: Hashable, Sendable {
  /// The direction, by the word on the command line.
  package enum Task: String, Sendable {
    case importProducts = "import"
    case exportProducts = "export"
    case backup = "backup"
  }

  package var task: Task
  /// The file on the other side; `-` is a pipe.
  package var path: String
  /// Whether an import takes nothing where anything is wrong.
  package var isStrict = false
  /// Whether a file that is written may take the place of another.
  package var replaces = false

  package init(_ task: Task, _ path: String) {
    self.task = task
    self.path = path
  }

  /// The command line that asks for it.
  package var words: [String] {
    [task.rawValue, path] + (isStrict ? ["--strict"] : []) + (replaces ? ["--replace"] : [])
  }
}
