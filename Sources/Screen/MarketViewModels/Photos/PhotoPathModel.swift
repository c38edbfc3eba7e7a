package import EditorKit
import Observation

/// The line in which paths of photos are typed.
@Observable
package final class PhotoPathModel: Layer {
  package private(set) var line = PhotoPathLine()

  /// What one does with the line.
  enum Answer {
    case paths(String)
    /// Looks through a folder; nil where the line names none.
    case folder(String?)
    case none
  }

  private let files: any PhotoImporter
  private let home: String
  private let didAnswer: (Answer) -> Void

  init(files: any PhotoImporter, home: String, didAnswer: @escaping (Answer) -> Void) {
    self.files = files
    self.home = home
    self.didAnswer = didAnswer
  }

  package func edit(_ change: (inout LineEditor) -> Void) { line.edit(change) }

  /// `Tab`: completes the last path as far as there is no choice.
  package func complete() {
    let text = line.editor.text
    let (folder, prefix) = line.lookup(home: home)
    Task.immediate {
      let entries = await files.entries(of: folder)
      guard line.editor.text == text else { return }
      line.complete(with: entries, prefix: prefix)
    }
  }

  /// Adds what the line names; an empty one or a folder opens the picker.
  package func confirm() {
    let text = line.editor.text.trimmed
    guard !text.isEmpty, !text.hasSuffix("/") else { return browse() }
    didAnswer(.paths(text))
  }

  /// Looks through the folder that the line names.
  package func browse() { didAnswer(.folder(line.folder(home: home))) }

  package func cancel() { didAnswer(.none) }
}
