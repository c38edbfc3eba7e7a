package import MarketModel
import Observation

/// The search through folders for a photo.
@Observable
package final class PickerModel: Layer {
  package private(set) var picker: FolderPicker

  private let files: any PhotoImporter
  private let didEnd: (String?) -> Void

  /// A search from a folder on, which ends with the path of the chosen file or with nothing.
  init(folder: String, files: any PhotoImporter, didEnd: @escaping (String?) -> Void) {
    picker = FolderPicker(folder: folder)
    self.files = files
    self.didEnd = didEnd
    read()
  }

  package func move(by distance: Int) { picker.move(by: distance) }

  /// Opens the selected folder, or takes the selected file.
  package func choose() {
    guard let entry = picker.selectedEntry else { return }
    let path = picker.path(of: entry)
    guard entry.isFolder else { return didEnd(path) }
    picker.go(to: path)
    read()
  }

  package func goUp() {
    if picker.goUp() { read() }
  }

  package func cancel() { didEnd(nil) }

  private func read() {
    let folder = picker.folder
    Task.immediate { picker.didRead(await files.entries(of: folder + "/"), of: folder) }
  }
}

/// A folder that is looked through for photos.
package struct FolderPicker {
  /// Absolute, without a slash at its end; empty is the root.
  package private(set) var folder: String
  package private(set) var entries: [FolderEntry] = []
  package private(set) var selected = 0
  /// False while the folder is being read.
  package private(set) var isRead = false
  /// The folder that was left for this one, to be selected in it.
  private var cameFrom: String?

  package init(folder: String) {
    self.folder = folder
  }

  package var selectedEntry: FolderEntry? {
    entries.indices.contains(selected) ? entries[selected] : nil
  }

  /// The selected file as a gallery draws it; nil for a folder.
  package var preview: Picture? {
    guard let entry = selectedEntry, !entry.isFolder else { return nil }
    let locator = "file:" + path(of: entry)
    return Picture(original: locator, thumbnail: locator)
  }

  func path(of entry: FolderEntry) -> String { folder + "/" + entry.name }

  package mutating func move(by distance: Int) {
    selected = (selected + distance).clamped(to: 0...max(0, entries.count - 1))
  }

  /// Goes to another folder, whose entries are still to come.
  mutating func go(to folder: String) {
    self.folder = folder
    entries = []
    selected = 0
    isRead = false
    cameFrom = nil
  }

  /// Goes to the folder above; false at the root.
  mutating func goUp() -> Bool {
    guard let slash = folder.lastIndex(of: "/") else { return false }
    let name = String(folder[folder.index(after: slash)...])
    go(to: String(folder[..<slash]))
    cameFrom = name
    return true
  }

  fileprivate mutating func didRead(_ entries: [FolderEntry], of folder: String) {
    guard folder == self.folder else { return }
    self.entries = entries
    selected = entries.firstIndex { $0.name == cameFrom } ?? 0
    isRead = true
  }
}
