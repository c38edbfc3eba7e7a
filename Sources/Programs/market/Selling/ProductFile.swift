import Glibc
import MarketAPI
import MarketModel
import MarketViewModels
import Posix

/// File of products that are to be registered: one JSON object, an array of them, or an object a line.
nonisolated struct ProductFile {
  /// Reason why nothing in the file can be registered.
  enum Mistake: Error, Hashable {
    case unreadable
    case tooLarge
    case noObjects
  }

  /// What each object says, or the field that cannot be read.
  let entries: [Result<ProductEntries, HeadlessSelling.Failure>]

  private static let longest = 16 << 20
  private static let mostProducts = 10_000
  private static let deepest = 8
  /// The fields that an object may name; what else it says is for others.
  private static let fields = FieldDescription.inArchives

  /// Reads a file, or standard input for `-`; pictures are looked for beside the file.
  init(at path: String) throws(Mistake) {
    let bytes: [UInt8]
    do throws(SystemError) {
      if path == "-" {
        bytes = try Descriptor.readAll(from: STDIN_FILENO, limit: Self.longest)
      } else {
        bytes = try Self.read(path)
      }
    } catch {
      throw error.number == EFBIG ? .tooLarge : .unreadable
    }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    try self.init(bytes, folder: path == "-" ? "" : folder)
  }

  /// - Parameters:
  ///   - bytes: the text, UTF-8.
  ///   - folder: where its pictures are, with a slash at its end; empty for the working folder.
  /// - Throws: what is wrong with the text.
  init(_ bytes: [UInt8], folder: String) throws(Mistake) {
    let objects = try Self.objects(in: bytes)
    guard !objects.isEmpty, objects.count <= Self.mostProducts else {
      throw objects.isEmpty ? .noObjects : .tooLarge
    }
    entries = objects.map { Self.entries(of: $0, in: folder) }
  }

  private static func read(_ path: String) throws(SystemError) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw .last }
    defer { close(file) }
    return try Descriptor.readAll(from: file, limit: longest)
  }

  private static func objects(in bytes: [UInt8]) throws(Mistake) -> [JSONValue] {
    if let document = try? JSONDocument(parsing: bytes, maximumDepth: deepest) {
      let root = document.root
      let values = root.isArray ? Array(root.elements) : [root]
      guard values.allSatisfy(\.isObject) else { throw .noObjects }
      return values
    }
    var objects: [JSONValue] = []
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
      guard let document = try? JSONDocument(parsing: Array(line), maximumDepth: deepest),
        document.root.isObject
      else { throw .noObjects }
      objects.append(document.root)
    }
    return objects
  }

  private static func entries(
    of object: JSONValue, in folder: String
  ) -> Result<ProductEntries, HeadlessSelling.Failure> {
    var entries = ProductEntries()
    for field in fields {
      guard let value = object[field.archiveName] else { continue }
      if field.kind == .pictures {
        let names = value.elements.map(\.string)
        guard value.isArray, !names.contains(nil) else {
          return .failure(.field(FieldError(field.field, .unreadable)))
        }
        entries.photos = names.compactMap { $0 }.map { $0.hasPrefix("/") ? $0 : folder + $0 }
      } else {
        guard let text = text(of: value, field.kind) else {
          return .failure(.field(FieldError(field.field, .unreadable)))
        }
        entries.texts[field.field] = text
      }
    }
    return .success(entries)
  }

  /// The text to type into the field; nil where the value is of another kind.
  ///
  /// A number's decimals are not left to be read as groups.
  static func text(of value: JSONValue, _ kind: FieldKind) -> String? {
    switch kind {
    case .line, .text, .currency, .choice: value.string
    case .amount:
      value.string ?? value.number?.hundredths.map { String(hundredths: $0, decimals: .twoOrNone) }
    case .number: value.string ?? value.number?.integer.map { String($0) }
    case .pictures, .password: nil
    }
  }
}

nonisolated extension ProductEntries {
  /// The same with what others name in the place of what these do.
  func overridden(by others: ProductEntries) -> ProductEntries {
    var entries = self
    entries.texts.merge(others.texts) { $1 }
    if !others.photos.isEmpty { entries.photos = others.photos }
    return entries
  }
}
