internal import MarketModel
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
