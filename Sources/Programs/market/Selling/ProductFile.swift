import Glibc
import MarketAPI
import MarketModel
import MarketStrings
import MarketViewModels
import Posix
import SafeTextKit

/// File of products to register: one JSON object, an array of them, or one object a line.
nonisolated struct ProductFile {
  /// Reason why a file is refused as a whole.
  enum Mistake: Error, Hashable {
    case unreadable
    case tooLarge
    case noObjects
    case syntax(JSONFile.Mistake)
  }

  /// Entries of each object, or the error of its first unreadable field.
  let entries: [Result<ProductEntries, HeadlessSelling.Failure>]

  /// Maximum bytes of a file and number of products in it; beyond them `.tooLarge`.
  private static let longest = 16 << 20
  private static let maxProducts = 10_000
  private static let deepest = 8
  /// Fields that are read from an object; others are ignored.
  private static let fields = ProductField.inArchives

  /// Reads a file, or standard input for `-`; paths of photos are relative to the file's folder.
  /// - Throws: `.unreadable`, `.tooLarge` beyond 16 MiB, else what `init(_:folder:)` throws.
  init(at path: String) throws(Mistake) {
    let bytes: [UInt8]
    do throws(SystemError) {
      if path == "-" {
        bytes = try FileDescriptorIO.readAll(from: STDIN_FILENO, limit: Self.longest)
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
  ///   - bytes: JSON in UTF-8.
  ///   - folder: folder of the photos, with a slash at its end; empty for the working folder.
  /// - Throws: `.syntax` with the first mistake, `.noObjects` for no or other values, `.tooLarge`
  ///   beyond 10,000 products.
  init(_ bytes: [UInt8], folder: String) throws(Mistake) {
    let objects = try Self.objects(in: bytes)
    guard !objects.isEmpty, objects.count <= Self.maxProducts else {
      throw objects.isEmpty ? .noObjects : .tooLarge
    }
    entries = objects.map { Self.entries(of: $0, in: folder) }
  }

  private static func read(_ path: String) throws(SystemError) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw .last }
    defer { close(file) }
    return try FileDescriptorIO.readAll(from: file, limit: longest)
  }

  private static func objects(in bytes: [UInt8]) throws(Mistake) -> [JSONValue] {
    let values: [JSONValue]
    do throws(JSONFile.Mistake) {
      values = try JSONFile.values(in: bytes, maximumDepth: deepest)
    } catch {
      throw .syntax(error)
    }
    guard values.allSatisfy(\.isObject) else { throw .noObjects }
    return values
  }

  private static func entries(
    of object: JSONValue, in folder: String
  ) -> Result<ProductEntries, HeadlessSelling.Failure> {
    var entries = ProductEntries()
    for field in fields {
      guard let value = object[named: field.rawValue] else { continue }
      if field.kind == .pictures {
        let names = value.elements.map(\.string)
        guard value.isArray, !names.contains(nil) else {
          return .failure(.field(FieldError(field, .unreadable)))
        }
        entries.photos = names.compactMap { $0 }.map { $0.hasPrefix("/") ? $0 : folder + $0 }
      } else {
        guard let text = text(of: value, field.kind) else {
          return .failure(.field(FieldError(field, .unreadable)))
        }
        entries.texts[field] = text
      }
    }
    return .success(entries)
  }

  /// Text to enter in a field; nil if the value has another type.
  ///
  /// A number is written with two decimals or none, so that three are not taken for a group of
  /// thousands.
  static func text(of value: JSONValue, _ kind: FieldKind) -> String? {
    switch kind {
    case .line, .text, .currency, .choice: value.string
    case .amount:
      value.string ?? value.number?.hundredths.map { String(hundredths: $0, decimals: .twoOrNone) }
    case .number: value.string ?? value.number?.integer.map { String($0) }
    case .flag: value.bool.map { FieldValue(flag: $0).texts.first ?? "" }
    case .pictures, .password: nil
    }
  }
}

/// JSON of a file: one array, one value, or one value a line.
nonisolated enum JSONFile {
  /// First mistake of a text, with its line from 1.
  struct Mistake: Error, Hashable {
    let line: Int
    let expected: JSONDiagnostic.Expected

    /// Sentence with file, line, mistake and advice.
    @MainActor func text(in path: String, _ strings: Strings) -> SafeText {
      SafeText(path) + ":" + SafeText(line) + ": " + strings[expected.phrase]
    }
  }

  /// Returns the values of a text; none for a blank one.
  ///
  /// - Throws: the first mistake; if the first line is a value, the mistake of the first invalid line.
  static func values(in bytes: [UInt8], maximumDepth: Int = 64) throws(Mistake) -> [JSONValue] {
    if let document = try? JSONDocument(parsing: bytes, maximumDepth: maximumDepth) {
      return document.root.isArray ? Array(document.root.elements) : [document.root]
    }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .enumerated().filter { !$0.element.allSatisfy { $0 <= 0x20 } }
    var values: [JSONValue] = []
    for (index, line) in lines {
      guard
        let document = try? JSONDocument(parsing: Array(line), maximumDepth: maximumDepth)
      else {
        throw values.isEmpty
          ? mistake(in: bytes, from: 1) : mistake(in: Array(line), from: index + 1)
      }
      values.append(document.root)
    }
    return values
  }

  private static func mistake(in bytes: [UInt8], from line: Int) -> Mistake {
    var mistakes: [JSONDiagnostic] = []
    let document = JSONDocument(handwritten: bytes, mistakes: &mistakes)
    // Input that is allowed in handwritten files only, such as a comment, is no value here.
    guard let first = mistakes.first else { return Mistake(line: line, expected: .value) }
    return Mistake(line: line + document.line(at: first.offset) - 1, expected: first.expected)
  }
}

nonisolated extension ProductEntries {
  /// Returns the entries with those of `others` taking precedence.
  func overridden(by others: ProductEntries) -> ProductEntries {
    var entries = self
    entries.texts.merge(others.texts) { $1 }
    if !others.photos.isEmpty { entries.photos = others.photos }
    return entries
  }
}
