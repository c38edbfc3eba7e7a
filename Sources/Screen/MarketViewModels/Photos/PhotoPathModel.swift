package import EditorKit

/// Line for the paths of photos.
package final class PhotoPathModel: LineLayer, Dialog {
  package let reply = Reply<Wish>()
  @Observed package private(set) var line: PhotoPathLine

  /// Answer of the line.
  package enum Wish: Sendable {
    case paths(String)
    /// Opens the picker in a folder; nil if the line contains none.
    case folder(String?)
  }

  private let files: any PhotoImporter
  private let home: String
  private var reading: Task<Void, Never>?

  init(_ start: String = "", files: any PhotoImporter, home: String) {
    line = PhotoPathLine(start)
    self.files = files
    self.home = home
  }

  package func didClose() { reading?.cancel() }

  package func edit(_ change: (inout LineEditor) -> Void) { line.edit(change, home: home) }

  /// `Tab`: completes the last path as far as it is unambiguous, then selects candidates in turn.
  package func complete() {
    guard !line.candidates.isWalkable else { return line.walk(by: 1) }
    let text = line.editor.text
    let (folder, _) = line.lookup(home: home)
    reading?.cancel()
    reading = Task.immediate {
      let listing = await files.listing(of: folder)
      guard !Task.isCancelled, line.editor.text == text else { return }
      line.complete(with: listing.entries, of: folder, home: home)
    }
  }

  /// Selects another candidate.
  package func walk(by distance: Int) { line.walk(by: distance) }

  /// Takes a candidate, as by a click.
  package func take(_ index: Int) {
    line.select(index)
    line.takeSelected()
  }

  /// Takes the selected candidate, or answers the paths; an empty line or a folder opens the picker.
  package func confirm() {
    guard line.candidates.selected == nil else { return line.takeSelected() }
    let text = line.editor.text.trimmed
    guard !text.isEmpty, !text.hasSuffix("/") else { return browse() }
    reply.give(.paths(text))
  }

  /// Opens the picker in the folder of the line.
  package func browse() { reply.give(.folder(line.folder(home: home))) }

  /// Closes the candidates, or leaves the line if there are none.
  package func cancel() {
    guard line.candidates.isShown else { return reply.give(nil) }
    line.closeCandidates()
  }
}

/// Line for typed, pasted or dropped paths; `Tab` completes the last one.
package struct PhotoPathLine {
  package private(set) var editor: LineEditor
  package private(set) var candidates = PathCandidates()

  /// Maximum characters of the line.
  private static let maxLineLength = 4_096

  package init(_ text: String = "") {
    editor = LineEditor(text, limit: Self.maxLineLength)
  }

  /// Edits the text; candidates that still match stay.
  package mutating func edit(_ change: (inout LineEditor) -> Void, home: String) {
    let before = editor.text
    change(&editor)
    guard editor.text != before else { return }
    let (folder, prefix) = lookup(home: home)
    candidates.narrow(to: prefix, in: folder)
  }

  mutating func closeCandidates() { candidates = PathCandidates() }

  mutating func walk(by distance: Int) { candidates.walk(by: distance) }

  mutating func select(_ index: Int) { candidates.select(index) }

  /// Folder of the last word, and the beginning of a name in it.
  func lookup(home: String) -> (folder: String, prefix: String) {
    let word = PathWords.path(lastWord, home: home)
    guard let slash = word.lastIndex(of: "/") else { return (".", word) }
    return (String(word[...slash]), String(word[word.index(after: slash)...]))
  }

  /// Folder of the last word for the picker; nil if it is not absolute.
  func folder(home: String) -> String? {
    let folder = lookup(home: home).folder
    return folder.hasPrefix("/") ? String(folder.dropLast()) : nil
  }

  /// Completes the last word by the common prefix of matching entries; if several match, they become
  /// the candidates.
  mutating func complete(with entries: [FolderEntry], of folder: String, home: String) {
    let (_, prefix) = lookup(home: home)
    let matches = entries.filter { $0.name.hasPrefix(prefix) }
    if let only = matches.first, matches.count == 1 { return take(only) }
    candidates = PathCandidates(entries, of: folder, prefix: prefix)
    guard let first = matches.first else { return }
    let common = matches.dropFirst().reduce(first.name) { $0.commonPrefix(with: $1.name) }
    replaceName(with: PathWords.escaped(common))
    candidates.narrow(to: lookup(home: home).prefix, in: folder)
  }

  /// Replaces the last name by the selected candidate.
  mutating func takeSelected() {
    guard let entry = candidates.selectedEntry else { return }
    take(entry)
  }

  private mutating func take(_ entry: FolderEntry) {
    replaceName(with: PathWords.escaped(entry.name) + (entry.isFolder ? "/" : " "))
    candidates = PathCandidates()
  }

  /// Replaces the last word behind its last slash.
  private mutating func replaceName(with name: String) {
    let word = lastWord
    let folder = word.lastIndex(of: "/").map { String(word[...$0]) } ?? ""
    let start = PathWords.startOfLastWord(in: editor.text)
    let path = folder.hasPrefix("file://") ? PathWords.path(folder, home: "") : folder
    editor.buffer.move(to: start)
    editor.buffer.move(to: editor.buffer.characters.count, selecting: true)
    editor.paste(PathWords.escaped(path) + name)
  }

  /// The last word without its quotes; empty behind a space.
  private var lastWord: String {
    let start = PathWords.startOfLastWord(in: editor.text)
    return PathWords.texts(in: String(editor.text.dropFirst(start))).first ?? ""
  }
}

/// Candidates for the last word: entries of its folder.
package struct PathCandidates {
  /// Candidates that match the typed prefix.
  package private(set) var entries: [FolderEntry] = []
  /// Index of the selected candidate; nil before the first selection.
  package private(set) var selected: Int?
  /// Whether candidates were requested and not closed since.
  package private(set) var isShown = false
  private var all: [FolderEntry] = []
  private var folder = ""

  init() {}

  fileprivate init(_ entries: [FolderEntry], of folder: String, prefix: String) {
    all = entries
    self.folder = folder
    isShown = true
    narrow(to: prefix, in: folder)
  }

  package var selectedEntry: FolderEntry? { selected.map { entries[$0] } }

  package var isWalkable: Bool { !entries.isEmpty }

  /// Filters the candidates by a prefix; clears them in another folder.
  fileprivate mutating func narrow(to prefix: String, in folder: String) {
    guard isShown, folder == self.folder else {
      self = PathCandidates()
      return
    }
    entries = all.filter { $0.name.hasPrefix(prefix) }
    selected = nil
  }

  fileprivate mutating func walk(by distance: Int) {
    guard !entries.isEmpty else { return }
    let start = selected ?? (distance > 0 ? -1 : 0)
    selected = (start + distance + entries.count) % entries.count
  }

  fileprivate mutating func select(_ index: Int) {
    if entries.indices.contains(index) { selected = index }
  }
}

extension String {
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}
