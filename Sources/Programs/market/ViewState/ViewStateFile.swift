import DispatchBridge
import MarketViewModels
import Posix

/// The look of the screen, in a file of the state folder that only its owner reads.
///
/// Records that it does not know, as those of a later version, stay as they are; what cannot be read
/// is no look, and the next change writes over it.
actor ViewStateFile: ViewStateStore {
  private let executor = QueueExecutor(label: "look")
  private let folder: String

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private static let name = "look"
  private static let maxFileSize = 1 << 16

  /// Takes the state folder, which need not exist yet.
  init(folder: String) {
    self.folder = folder
  }

  /// The look that was kept last; read where it is asked for, before anything is shown.
  nonisolated func load() -> ViewState { ViewState(records) }

  /// Keeps what was chosen beside what other runs have written since.
  func keep(_ chosen: ViewState) {
    guard (try? Folder.make(folder)) != nil else { return }
    _ = try? FolderLock.holding(folder) {
      var saved = records
      let before = ViewState(saved)
      chosen.write(to: &saved)
      guard ViewState(saved) != before else { return }
      // A look that cannot be kept, as on a full disk, is no reason to interrupt anybody.
      try? PrivateFile.write(saved.bytes, to: path)
    }
  }

  private nonisolated var path: String { folder + "/" + Self.name }

  private nonisolated var records: RecordFile {
    (try? PrivateFile.read(path, limit: Self.maxFileSize)).flatMap(RecordFile.init) ?? RecordFile()
  }
}

/// A value of the look as the file holds it.
private nonisolated struct ViewStateRecord: Sendable {
  let name: String
  let read: @Sendable (String, inout ViewState) -> Void
  /// Nil where nothing was chosen.
  let written: @Sendable (ViewState) -> String?

  /// All values, each once.
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

  /// Writes what was chosen.
  fileprivate func write(to records: inout RecordFile) {
    for record in ViewStateRecord.all {
      if let text = record.written(self) { records.set(record.name, text) }
    }
  }
}
