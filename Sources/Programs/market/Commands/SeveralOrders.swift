import CommandKit
import Glibc
import MarketAPI
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import Posix
import SafeText

/// Order of a script for several products: each with what becomes of it.
struct SeveralOrders: Hashable {
  enum Kind: Hashable {
    case edit, deletion
  }

  struct Item: Hashable {
    let id: Product.ID
    var entries = ProductEntries()
  }

  let kind: Kind
  let items: [Item]

  /// As many as one run takes.
  static let most = 10_000
  static let mostBytes = 32 << 20

  init(_ kind: Kind, _ items: [Item]) {
    self.kind = kind
    self.items = items
  }

  /// The same entries for each number, which counts once.
  init(_ kind: Kind, _ ids: [Product.ID], _ entries: ProductEntries = ProductEntries()) {
    var known: Set<Product.ID> = []
    self.init(
      kind, ids.filter { known.insert($0).inserted }.map { Item(id: $0, entries: entries) })
  }

  /// Products out of JSON: one array, or an object a line, each with `id` and the fields that change;
  /// what else stands beside the number of one to delete says nothing.
  ///
  /// Throws the number of the first product that cannot be read, counted from 1.
  static func read(_ kind: Kind, _ bytes: [UInt8]) throws(UnreadableItem) -> SeveralOrders {
    var items: [Item] = []
    var known: Set<Product.ID> = []
    for value in try values(bytes) {
      guard items.count < most, let item = Item(kind, value),
        known.insert(item.id).inserted
      else { throw UnreadableItem(number: items.count + 1) }
      items.append(item)
    }
    guard !items.isEmpty else { throw UnreadableItem(number: 1) }
    return SeveralOrders(kind, items)
  }

  private static func values(_ bytes: [UInt8]) throws(UnreadableItem) -> [JSONValue] {
    if let document = try? JSONDocument(parsing: bytes) {
      return document.root.isArray ? Array(document.root.elements) : [document.root]
    }
    var values: [JSONValue] = []
    for line in bytes.split(separator: UInt8(ascii: "\n")) where !line.allSatisfy({ $0 <= 0x20 }) {
      guard values.count < most, let document = try? JSONDocument(parsing: Array(line)) else {
        throw UnreadableItem(number: values.count + 1)
      }
      values.append(document.root)
    }
    return values
  }
}

/// Number of a product in a file that cannot be read.
struct UnreadableItem: Error, Hashable {
  let number: Int
}

extension SeveralOrders.Item {
  /// Nil where it is no object, has no number, or is an edit of what is no field.
  fileprivate init?(_ kind: SeveralOrders.Kind, _ value: JSONValue) {
    guard value.isObject, let id = value["id"]?.spelling.flatMap({ Int64($0) }) else { return nil }
    self.init(id: Product.ID(rawValue: id))
    guard kind == .edit else { return }
    for member in value.members where member.key != "id" {
      guard let field = Self.fields[member.key] else { return nil }
      // A number is read as JSON says it: 12.500 has decimals and no groups.
      let isAmount = FieldDescription[field].kind == .amount
      guard
        let text = isAmount ? ProductFile.text(of: member.value, .amount) : member.value.spelling
      else { return nil }
      entries.texts[field] = text
    }
  }

  /// The fields that are texts, by the names that files give them.
  private static let fields: [String: ProductField] = {
    var fields: [String: ProductField] = [:]
    for description in FieldDescription.all {
      switch description.kind {
      case .pictures, .password: break
      case .line, .text, .amount, .number, .currency, .choice:
        fields[description.archiveName.description] = description.field
      }
    }
    return fields
  }()
}

/// Run of an order for several products with one password: a line of result for each.
struct SeveralRun {
  let orders: SeveralOrders
  let selling: HeadlessSelling
  let writesJSON: Bool
  let strings: Strings
  /// The sentence about a failure.
  let text: (HeadlessSelling.Failure) -> SafeText

  /// What came of one product.
  private enum Result: String {
    case done
    case wrongPassword = "wrong-password"
    case conflict, gone, failed
    case notReached = "not-reached"

    init(_ failure: HeadlessSelling.Failure) {
      self =
        switch failure {
        case .repository(.wrongPassword): .wrongPassword
        case .repository(.conflict): .conflict
        case .repository(.notFound): .gone
        case .repository, .field, .photo, .tooManyPhotos, .photosFixed, .unnamedSeller,
          .otherSeller, .accountNotMade:
          .failed
        }
    }

    var status: Int32 {
      switch self {
      case .done: 0
      case .gone: ExitStatus.notFound
      case .wrongPassword: ExitStatus.wrongPassword
      case .conflict, .failed, .notReached: ExitStatus.failure
      }
    }
  }

  /// The statuses from the best to the worst.
  private static let statuses = [
    0, ExitStatus.notFound, ExitStatus.wrongPassword, ExitStatus.failure,
  ]

  /// Carries them out one after the other; gives the worst exit status.
  func run() async -> Int32 {
    var worst = 0
    var isAway = false
    for item in orders.items {
      let failure = isAway ? nil : await carryOut(item)
      let result = isAway ? .notReached : failure.map(Result.init) ?? .done
      say(item.id, result, failure)
      worst = max(worst, Self.statuses.firstIndex(of: result.status) ?? 0)
      // The others would only wait for the market as well.
      if case .repository(.unreachable)? = failure { isAway = true }
    }
    return Self.statuses[worst]
  }

  private func carryOut(_ item: SeveralOrders.Item) async -> HeadlessSelling.Failure? {
    do throws(HeadlessSelling.Failure) {
      switch orders.kind {
      case .edit: _ = try await selling.edit(item.id, item.entries)
      case .deletion: _ = try await selling.delete(item.id)
      }
      return nil
    } catch {
      return error
    }
  }

  private func say(_ id: Product.ID, _ result: Result, _ failure: HeadlessSelling.Failure?) {
    guard writesJSON else {
      let done: Phrase = orders.kind == .edit ? .soldChanged : .soldDeleted
      let words = failure.map(text) ?? strings[result == .done ? done : .severalNotReached]
      return Console.say(SafeText(id.rawValue) + ": " + words)
    }
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("id", id.rawValue)
    writer.member("result", result.rawValue)
    if let failure { writer.member("error", text(failure).string) }
    writer.endObject()
    Console.say(String(decoding: writer.bytes, as: UTF8.self))
  }
}

extension ScriptCommands {
  /// Edits or deletes several products with one password.
  func sell(_ orders: SeveralOrders) async -> Never {
    await sellSeveral(orders) { orders }
  }

  /// Edits or deletes what a file of JSON names, or standard input behind the password.
  func sellFromJSON(_ kind: SeveralOrders.Kind, _ path: String) async -> Never {
    let read = { Self.orders(kind, at: path, strings) }
    await sellSeveral(path == "-" ? nil : read(), reading: read)
  }

  private static func orders(
    _ kind: SeveralOrders.Kind, at path: String, _ strings: Strings
  ) -> SeveralOrders {
    do {
      return try SeveralOrders.read(kind, bytes(at: path))
    } catch let error as UnreadableItem {
      Console.fail(
        strings(.severalUnreadable, SafeText(path), SafeText(error.number)),
        status: ExitStatus.usage)
    } catch {
      Console.fail(strings(.severalNoFile, SafeText(path)), status: ExitStatus.usage)
    }
  }

  private static func bytes(at path: String) throws -> [UInt8] {
    guard path != "-" else {
      return try Descriptor.readAll(from: STDIN_FILENO, limit: SeveralOrders.mostBytes)
    }
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw SystemError(number: errno) }
    defer { close(file) }
    return try Descriptor.readAll(from: file, limit: SeveralOrders.mostBytes)
  }
}

extension Phrase {
  static var severalUnreadable: Phrase { .named() }
  static var severalNoFile: Phrase { .named() }
}
