package import EditorKit

/// The line in which paths of photos are typed.
package final class PhotoPathModel: LineLayer, Dialog {
  package let reply = Reply<Wish>()
  @Observed package private(set) var line = PhotoPathLine()

  /// What the line leads to.
  package enum Wish: Sendable {
    case paths(String)
    /// Looks through a folder; nil where the line names none.
    case folder(String?)
  }

  private let files: any PhotoImporter
  private let home: String
  private var reading: Task<Void, Never>?

  init(files: any PhotoImporter, home: String) {
    self.files = files
    self.home = home
  }

  package func didClose() { reading?.cancel() }

  package func edit(_ change: (inout LineEditor) -> Void) { line.edit(change, home: home) }

  /// `Tab`: completes the last path as far as there is no choice, then walks through what there is.
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

  /// Goes through the candidates.
  package func walk(by distance: Int) { line.walk(by: distance) }

  /// Goes to a candidate and takes it, as a click does.
  package func take(_ index: Int) {
    line.select(index)
    line.takeSelected()
  }

  /// Takes the chosen candidate, or adds what the line names; an empty line or a folder opens the
  /// picker.
  package func confirm() {
    guard line.candidates.selected == nil else { return line.takeSelected() }
    let text = line.editor.text.trimmed
    guard !text.isEmpty, !text.hasSuffix("/") else { return browse() }
    reply.give(.paths(text))
  }

  /// Looks through the folder that the line names.
  package func browse() { reply.give(.folder(line.folder(home: home))) }

  /// Puts the candidates away, or leaves the line where there are none.
  package func cancel() {
    guard line.candidates.isShown else { return reply.give(nil) }
    line.closeCandidates()
  }
}

/// The line in which paths of photos are typed, pasted or dropped; `Tab` completes the last of them.
package struct PhotoPathLine {
  package private(set) var editor = LineEditor(limit: maxLineLength)
  package private(set) var candidates = PathCandidates()

  private static let maxLineLength = 4_096

  package init() {}

  /// Changes the text; candidates that still fit stay.
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

  /// The folder in which the last word is looked for, and the beginning of a name in it.
  func lookup(home: String) -> (folder: String, prefix: String) {
    let word = PathWords.path(lastWord, home: home)
    guard let slash = word.lastIndex(of: "/") else { return (".", word) }
    return (String(word[...slash]), String(word[word.index(after: slash)...]))
  }

  /// The folder of the last word, as a picker takes it; nil where it is none from the root on.
  func folder(home: String) -> String? {
    let folder = lookup(home: home).folder
    return folder.hasPrefix("/") ? String(folder.dropLast()) : nil
  }

  /// Completes the last word as far as the entries of its folder agree; where that is not all of a
  /// name, those that fit are candidates.
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

  /// Writes the chosen candidate in the place of the name that was begun.
  mutating func takeSelected() {
    guard let entry = candidates.selectedEntry else { return }
    take(entry)
  }

  private mutating func take(_ entry: FolderEntry) {
    replaceName(with: PathWords.escaped(entry.name) + (entry.isFolder ? "/" : " "))
    candidates = PathCandidates()
  }

  /// Replaces what stands behind the last slash of the last word.
  private mutating func replaceName(with name: String) {
    let word = lastWord
    let folder = word.lastIndex(of: "/").map { String(word[...$0]) } ?? ""
    let start = PathWords.startOfLastWord(in: editor.text)
    let path = folder.hasPrefix("file://") ? PathWords.path(folder, home: "") : folder
    editor.buffer.move(to: start)
    editor.buffer.move(to: editor.buffer.characters.count, selecting: true)
    editor.paste(PathWords.escaped(path) + name)
  }

  /// The last word as it is meant, without its quotes; empty behind a space.
  private var lastWord: String {
    let start = PathWords.startOfLastWord(in: editor.text)
    return PathWords.texts(in: String(editor.text.dropFirst(start))).first ?? ""
  }
}

/// What the last word of a line may go on with: entries of a folder that begin with a name.
package struct PathCandidates {
  /// Those that fit to what is typed.
  package private(set) var entries: [FolderEntry] = []
  /// The one that is to be taken; nil before one was walked to.
  package private(set) var selected: Int?
  /// Whether they were asked for, and not put away since.
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

  /// Keeps those that begin with a name; in another folder there are none.
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
