package import EditorKit
import Observation

/// The line in which paths of photos are typed.
@Observable
package final class PhotoPathModel: LineLayer {
  package private(set) var line = PhotoPathLine()

  /// Outcome of the line.
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

/// The line in which paths of photos are typed, pasted or dropped; `Tab` completes the last of them.
package struct PhotoPathLine {
  package private(set) var editor = LineEditor(limit: longestLine)
  /// What the last word could go on with, where that is not certain.
  package private(set) var choices: [FolderEntry] = []

  private static let longestLine = 4_096

  package init() {}

  package mutating func edit(_ change: (inout LineEditor) -> Void) {
    change(&editor)
    choices = []
  }

  /// The folder in which the last word is looked for, and the beginning of a name in it.
  fileprivate func lookup(home: String) -> (folder: String, prefix: String) {
    let word = PathWords.path(
      PathWords.words(in: lastWord).first ?? "", home: home)
    guard let slash = word.lastIndex(of: "/") else { return (".", word) }
    return (String(word[...slash]), String(word[word.index(after: slash)...]))
  }

  /// The folder of the last word, as a picker takes it; nil where it is none from the root on.
  func folder(home: String) -> String? {
    let folder = lookup(home: home).folder
    return folder.hasPrefix("/") ? String(folder.dropLast()) : nil
  }

  /// Completes the last word, whose beginning is `prefix`, as far as the entries of its folder
  /// agree.
  mutating func complete(with entries: [FolderEntry], prefix: String) {
    let matches = entries.filter { $0.name.hasPrefix(prefix) }
    guard let first = matches.first else { return }
    let common = matches.dropFirst().reduce(first.name) { $0.commonPrefix(with: $1.name) }
    var rest = PathWords.escaped(String(common.dropFirst(prefix.count)))
    if matches.count == 1 { rest += first.isFolder ? "/" : " " }
    editor.move(.lineEnd)
    editor.paste(rest)
    choices = rest.isEmpty ? matches : []
  }

  private var lastWord: String {
    String(editor.text.dropFirst(PathWords.startOfLastWord(in: editor.text)))
  }
}

extension String {
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
