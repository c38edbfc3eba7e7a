import DispatchBridge
import Glibc
import MarketModel
import MarketViewModels
import Posix
import SafeTextKit

/// Scanner of folders with the seller's photos, on a queue of its own: a network drive may be slow, and
/// must not delay reading a file.
actor PhotoFolders {
  private let executor = QueueExecutor(label: "photos.folders")

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Maximum number of names read in one folder and for one pattern, of folders, and of files found;
  /// the rest is left out.
  private static let maxNames = 10_000
  /// Maximum number of names read for one pattern, of folders searched, and of files found.
  private static let maxNamesOfPattern = 50_000
  private static let maxFolders = 200
  private static let maxFiles = 500
  private static let endings = ["jpg", "jpeg", "png", "webp", "gif", "heic", "heif", "hif", "avif"]

  func listing(of folder: String) -> FolderListing {
    guard !Task.isCancelled else { return FolderListing() }
    let folder = existing(folder) ?? folder
    do {
      let scan = try FolderScan(of: folder, limit: Self.maxNames, filesWhere: Self.isPicture)
      let entries = scan.entries.map { entry in
        FolderEntry(
          name: entry.name, isFolder: entry.isFolder, bytes: entry.bytes,
          modified: Timestamp(seconds: entry.modified))
      }
      return FolderListing(Self.sorted(entries), isComplete: scan.isComplete)
    } catch {
      let isMissing = error.number == ENOENT || error.number == ENOTDIR
      return FolderListing(problem: isMissing ? .missing : .unreadable)
    }
  }

  /// Entries with folders first, each kind in natural order of names.
  private static func sorted(_ entries: [FolderEntry]) -> [FolderEntry] {
    entries.map { (entry: $0, key: NaturalKey($0.name)) }
      .sorted { left, right in
        guard left.entry.isFolder == right.entry.isFolder else { return left.entry.isFolder }
        return left.key < right.key
      }
      .map(\.entry)
  }

  nonisolated private static func isPicture(_ name: String) -> Bool {
    guard let dot = name.lastIndex(of: ".") else { return false }
    return endings.contains(name[name.index(after: dot)...].lowercased())
  }

  // MARK: Patterns

  /// Pictures whose paths match a pattern, part by part.
  ///
  /// glob(3) would search a whole disk for `/*/*/*`, and could not be cancelled.
  func files(matching pattern: String) -> [String] {
    let parts = pattern.split(separator: "/").map { Wildcard(String($0)) }
    var paths = [pattern.hasPrefix("/") ? "/" : ""]
    var budget = Self.maxNamesOfPattern
    for (index, part) in parts.enumerated() {
      let areFiles = index == parts.count - 1
      paths = paths.prefix(Self.maxFolders).flatMap { path in
        if let name = part.literal { return named(name, in: path, isFile: areFiles) }
        return Self.matches(of: part, in: path, areFiles: areFiles, &budget)
      }
    }
    return Array(paths.prefix(Self.maxFiles))
  }

  /// File, or folder with a slash, of this name in a folder; empty if there is none.
  private func named(_ name: String, in folder: String, isFile: Bool) -> [String] {
    guard let path = existing(folder + name) else { return [] }
    if isFile { return Self.isPicture(name) && Folder.isFile(path) ? [path] : [] }
    return Folder.isFolder(path) ? [path + "/"] : []
  }

  /// Files, or folders with a slash, whose names match a part of a pattern.
  private static func matches(
    of part: Wildcard, in folder: String, areFiles: Bool, _ budget: inout Int
  ) -> [String] {
    guard !Task.isCancelled,
      let scan = try? FolderScan(
        of: folder.isEmpty ? "." : folder, limit: budget, filesWhere: { areFiles && isPicture($0) })
    else { return [] }
    budget -= scan.count
    return scan.entries.filter { $0.isFolder != areFiles && part.matches($0.name) }
      .map { folder + $0.name + (areFiles ? "" : "/") }
      .map { (path: $0, key: NaturalKey($0)) }
      .sorted { $0.key < $1.key }
      .map(\.path)
  }

  // MARK: Names in another form

  /// Existing path that differs from `path` only in Unicode normalisation; nil if there is none.
  ///
  /// Macs store names decomposed (UAX 15), and typed or dropped text contains no invalid UTF-8.
  func existing(_ path: String) -> String? {
    guard !Self.isThere(path) else { return path }
    var found = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      let next = found + part
      if Self.isThere(next) {
        found = next + "/"
      } else if let twin = twin(of: part, in: found.isEmpty ? "." : found) {
        found += twin + "/"
      } else {
        return nil
      }
    }
    return path.hasSuffix("/") ? found : String(found.dropLast())
  }

  private static func isThere(_ path: String) -> Bool {
    FileName.withPath(path) { access($0, F_OK) } == 0
  }

  /// Entry of a folder whose name differs only in normalisation; nil if there is none.
  private func twin(of name: Substring, in folder: String) -> String? {
    // Only names with non-ASCII characters can differ.
    guard name.utf8.contains(where: { $0 >= 0x80 }) else { return nil }
    let isTwin = { (other: String) in FileName.repaired(other) == name }
    let scan = try? FolderScan(of: folder, limit: Self.maxNames, filesWhere: isTwin)
    return scan?.entries.first { isTwin($0.name) }?.name
  }
}

/// Sort key in natural order: ignores case, and compares numbers by value (`2.jpg` before `10.jpg`).
private nonisolated struct NaturalKey: Comparable {
  /// Name in lowercase, with the number of digits before each number, so that longer numbers are
  /// larger.
  private let bytes: [UInt8]

  init(_ name: String) {
    var bytes: [UInt8] = []
    var number: [UInt8] = []
    func endNumber() {
      guard !number.isEmpty else { return }
      let digits = number.drop { $0 == UInt8(ascii: "0") }
      bytes += [UInt8(ascii: "0"), UInt8(min(digits.count, 255))] + digits
      number = []
    }
    for byte in name.precomposed.lowercased().utf8 {
      if UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte {
        number.append(byte)
      } else {
        endNumber()
        bytes.append(byte)
      }
    }
    endNumber()
    // Names that differ in leading zeros or case only have a fixed order.
    self.bytes = bytes + [0] + name.utf8
  }

  static func < (left: NaturalKey, right: NaturalKey) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}
