import DispatchBridge
import MarketViewModels
import Posix

/// File of the view state in the state folder, readable by its owner only.
///
/// Unknown records, as those of later versions, are preserved; an unreadable file counts as empty and
/// is overwritten by the next change.
actor ViewStateFile: ViewStateStore {
  private let executor = QueueExecutor(label: "look")
  private let folder: String

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private static let name = "look"
  /// Maximum bytes of the file; a larger one counts as empty.
  private static let maxFileSize = 1 << 16

  /// Creates the store in the state folder, which is created on first use.
  init(folder: String) {
    self.folder = folder
  }

  /// Returns the stored view state; reads the file at once, before the first frame.
  nonisolated func load() -> ViewState { ViewState(records) }

  /// Merges the chosen values into the file, which other runs may have changed.
  func keep(_ chosen: ViewState) {
    guard (try? Folder.make(folder)) != nil else { return }
    _ = try? FolderLock.holding(folder) {
      var saved = records
      let before = ViewState(saved)
      chosen.write(to: &saved)
      guard ViewState(saved) != before else { return }
      // A failure to save, as on a full disk, does not interrupt the user.
      try? PrivateFile.write(saved.bytes, to: path)
    }
  }

  private nonisolated var path: String { folder + "/" + Self.name }

  private nonisolated var records: RecordFile {
    (try? PrivateFile.read(path, limit: Self.maxFileSize)).flatMap(RecordFile.init) ?? RecordFile()
  }
}

/// Coding of one value of the view state.
private nonisolated struct ViewStateRecord: Sendable {
  let name: String
  let read: @Sendable (String, inout ViewState) -> Void
  /// Returns the record; nil if nothing was chosen.
  let written: @Sendable (ViewState) -> String?

  /// Records of all values.
  static let all = [
    ViewStateRecord("cards", \.cardColumns, { Int($0) }, { String($0) }),
    ViewStateRecord(
      "list", \.listWidthFraction, { Int($0).map(ListWidthFraction.init(parts:)) },
      { String($0.parts) }),
    ViewStateRecord(
      "arrangement", \.arrangement, { BrowserModel.Arrangement(rawValue: $0) }, \.rawValue),
  ]

  private init<Value>(
    _ name: String,
    _ path:
      @autoclosure @escaping @Sendable () -> any WritableKeyPath<ViewState, Value?> & Sendable,
    _ value: @escaping @Sendable (String) -> Value?, _ text: @escaping @Sendable (Value) -> String
  ) {
    self.name = name
    read = { $1[keyPath: path()] = value($0) }
    written = { $0[keyPath: path()].map(text) }
  }
}

nonisolated extension ViewState {
  fileprivate init(_ records: RecordFile) {
    self.init()
    for record in ViewStateRecord.all {
      if let text = records.first(record.name) { record.read(text, &self) }
    }
  }

  fileprivate func write(to records: inout RecordFile) {
    for record in ViewStateRecord.all {
      if let text = record.written(self) { records.set(record.name, text) }
    }
  }
}
