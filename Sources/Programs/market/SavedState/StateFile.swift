import DispatchBridge
import Glibc
import MarketAPI
import MarketModel
import MarketViewModels
import Posix

/// File of small state between runs, in the state folder, readable by its owner only.
///
/// Each line is a section: a name, a blank and a JSON value. A damaged section counts as absent and
/// costs no other; unknown ones, as those of later versions, stay. Sections are replaced under the
/// folder's lock, so that two runs lose nothing of each other; of one section the last writer wins.
actor StateFile: SessionStateStore, ViewStateStore {
  /// Content of all known sections.
  nonisolated struct Content: Sendable {
    var session: SessionState?
    /// Last shown pictures of products of each market.
    var turned: [MarketKey: [ShownPicture]] = [:]
    var viewState = ViewState()
  }

  private let executor = QueueExecutor(label: "state")
  private let folder: String

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private static let name = "state"
  /// Maximum bytes of the file; a larger one is not written, and counts as empty.
  private static let maxFileSize = 1 << 18

  /// Creates the store in the state folder, which is created on first use.
  init(folder: String) {
    self.folder = folder
  }

  /// Reads the file at once, before the first frame; an unreadable one counts as empty.
  nonisolated var content: Content { Content(sections) }

  func keep(_ state: SessionState) {
    change {
      $0[.session] = state.json
      $0[.pictures] = state.turnedJSON
    }
  }

  /// Replaces the sections of the chosen values.
  func keep(_ chosen: ViewState) { change { chosen.write(to: &$0) } }

  /// Deletes what the file says about the user, and keeps the layout.
  /// - Throws: the error of unlink(2) or of writing the file, `EWOULDBLOCK` without the lock.
  nonisolated func clear() throws(SystemError) {
    guard Folder.isFolder(folder) else { return }
    PrivateFile.deleteDrafts(of: path)
    let result = try FolderLock.holding(folder) { () -> Result<Void, SystemError> in
      var kept = sections
      for name in [.session, .pictures, .photoFolder] as [Sections.Name] { kept[name] = nil }
      return Result { () throws(SystemError) in
        if !kept.isEmpty { return try PrivateFile.write(kept.bytes, to: path) }
        guard unlink(path) == 0 || errno == ENOENT else { throw .last }
      }
    }
    try result.get()
  }

  /// Changes sections under the lock; does nothing if they stay the same.
  private func change(_ body: (inout Sections) -> Void) {
    guard (try? Folder.make(folder)) != nil else { return }
    _ = try? FolderLock.holding(folder) {
      var (before, sections) = (sections.bytes, sections)
      body(&sections)
      let bytes = sections.bytes
      guard bytes != before, bytes.count <= Self.maxFileSize else { return }
      // A failure to save, as on a full disk, does not interrupt the user.
      try? PrivateFile.write(bytes, to: path)
    }
  }

  private nonisolated var path: String { folder + "/" + Self.name }

  private nonisolated var sections: Sections {
    Sections((try? PrivateFile.read(path, limit: Self.maxFileSize)) ?? [])
  }
}

/// Lines of the file.
private nonisolated struct Sections {
  enum Name: String {
    case session, pictures, cards, list, arrangement
    case photoFolder = "photo-folder"
  }

  private var lines: [ArraySlice<UInt8>]

  init(_ bytes: [UInt8]) {
    lines = bytes.split(separator: UInt8(ascii: "\n"))
  }

  var isEmpty: Bool { lines.isEmpty }
  var bytes: [UInt8] { lines.flatMap { $0 + [UInt8(ascii: "\n")] } }

  /// JSON of a section; nil if there is none.
  subscript(name: Name) -> [UInt8]? {
    get {
      let prefix = Self.prefix(of: name)
      return lines.first { $0.starts(with: prefix) }.map { Array($0.dropFirst(prefix.count)) }
    }
    set {
      let prefix = Self.prefix(of: name)
      let line = newValue.map { (prefix + $0)[...] }
      guard let index = lines.firstIndex(where: { $0.starts(with: prefix) }) else {
        lines += [line].compactMap(\.self)
        return
      }
      lines.replaceSubrange(index...index, with: [line].compactMap(\.self))
    }
  }

  /// Value of a section; nil if there is none or it is no JSON.
  func value(_ name: Name) -> JSONValue? {
    self[name].flatMap { try? JSONDocument(parsing: $0, maximumDepth: 8) }?.root
  }

  private static func prefix(of name: Name) -> [UInt8] { Array((name.rawValue + " ").utf8) }
}

nonisolated extension StateFile.Content {
  fileprivate init(_ sections: Sections) {
    session = sections.value(.session).flatMap(SessionState.init(json:))
    turned = sections.value(.pictures).map(SessionState.turned(json:)) ?? [:]
    viewState = ViewState(sections)
  }
}

nonisolated extension ViewState {
  fileprivate init(_ sections: Sections) {
    self.init()
    cardColumns = Self.integer(sections.value(.cards))
    listWidthFraction = Self.integer(sections.value(.list)).map(ListWidthFraction.init(parts:))
    arrangement = sections.value(.arrangement)?.string.flatMap(BrowserModel.Arrangement.init)
    photoFolder = sections.value(.photoFolder)?.string
  }

  private static func integer(_ value: JSONValue?) -> Int? {
    value?.number?.integer.map { Int($0) }
  }

  fileprivate func write(to sections: inout Sections) {
    func write(_ name: Sections.Name, _ text: String?) {
      guard let text else { return }
      var writer = JSONWriter()
      writer.string(text)
      sections[name] = writer.bytes
    }
    if let cardColumns { sections[.cards] = Array(String(cardColumns).utf8) }
    if let listWidthFraction { sections[.list] = Array(String(listWidthFraction.parts).utf8) }
    write(.arrangement, arrangement?.rawValue)
    write(.photoFolder, photoFolder)
  }
}
