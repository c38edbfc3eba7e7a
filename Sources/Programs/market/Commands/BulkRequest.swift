import CommandKit
import Glibc
import MarketAPI
import MarketModel
import MarketStrings
import MarketViewModels
import MarketViews
import Posix
import SafeTextKit

/// Request of a script to edit or delete several products.
struct BulkRequest: Hashable {
  enum Kind: Hashable {
    case edit, deletion
  }

  /// Product of a request, with the entries to change; a deletion has none.
  struct Item: Hashable {
    let id: Product.ID
    var entries = ProductEntries()
  }

  let kind: Kind
  let items: [Item]
  /// Whether the entries of all products were given once.
  let isSameForAll: Bool

  /// Maximum number of products of one request.
  static let most = 10_000
  /// Maximum bytes of a file of requests; a larger one is refused.
  static let maxBytes = 32 << 20

  init(_ kind: Kind, _ items: [Item], isSameForAll: Bool = false) {
    self.kind = kind
    self.items = items
    self.isSameForAll = isSameForAll
  }

  /// Creates a request with the same entries for all products; repeated ids count once.
  init(_ kind: Kind, _ ids: [Product.ID], _ entries: ProductEntries = ProductEntries()) {
    var known: Set<Product.ID> = []
    self.init(
      kind, ids.filter { known.insert($0).inserted }.map { Item(id: $0, entries: entries) },
      isSameForAll: true)
  }

  /// Reads products from JSON: one array, or an object a line, each with `id` and the fields to change;
  /// other members are ignored for a deletion.
  /// - Throws: `.syntax`, `.noProducts`, `.tooMany` beyond `most`, `.product` with the first invalid
  ///   product.
  static func read(_ kind: Kind, _ bytes: [UInt8]) throws(BulkRequestError) -> BulkRequest {
    let values: [JSONValue]
    do throws(JSONFile.Mistake) {
      values = try JSONFile.values(in: bytes)
    } catch {
      throw .syntax(error)
    }
    guard !values.isEmpty else { throw .noProducts }
    guard values.count <= most else { throw .tooMany }
    var items: [Item] = []
    var known: Set<Product.ID> = []
    for (index, value) in values.enumerated() {
      do throws(BulkRequestError.Reason) {
        let item = try Item(kind, value)
        guard known.insert(item.id).inserted else { throw .repeated(item.id) }
        items.append(item)
      } catch {
        throw .product(number: index + 1, error)
      }
    }
    return BulkRequest(kind, items)
  }
}

/// Reason why a file of requests cannot be read.
enum BulkRequestError: Error, Hashable {
  /// Reason why a product is invalid.
  enum Reason: Error, Hashable {
    /// The value is no object with an integer `id`.
    case noNumber
    case repeated(Product.ID)
    case unknownField(String)
    case badValue(ProductField)
  }

  case syntax(JSONFile.Mistake)
  case noProducts
  case tooMany
  /// Invalid product, with its number in the file, from 1.
  case product(number: Int, Reason)

  /// Sentence with file, product, mistake and advice.
  @MainActor func text(in path: String, _ strings: Strings) -> SafeText {
    switch self {
    case .syntax(let mistake): mistake.text(in: path, strings)
    case .noProducts: strings(.bulkNoProducts, SafeText(path))
    case .tooMany: strings(.bulkTooMany, SafeText(path), SafeText(BulkRequest.most))
    case .product(let number, let reason):
      strings(
        .bulkUnreadable, SafeText(path), SafeText(number), Self.text(of: reason, strings))
    }
  }

  @MainActor private static func text(of reason: Reason, _ strings: Strings) -> SafeText {
    switch reason {
    case .noNumber: return strings[.bulkNoNumber]
    case .repeated(let id): return strings(.bulkRepeated, SafeText(id.rawValue))
    case .unknownField(let name):
      let names = BulkRequest.Item.fields.keys.sorted()
      let advice =
        Spelling.nearest(to: name, among: names).map { strings(.usageMeant, SafeText($0)) }
        ?? SafeText(names.joined(separator: ", "))
      return strings(.bulkUnknownField, SafeText(name), advice)
    case .badValue(let field):
      let problem = ProblemText.text(.unreadable, of: field, strings)
      return strings(
        .importField, SafeText(field.rawValue), problem)
    }
  }
}

extension BulkRequest.Item {
  fileprivate init(
    _ kind: BulkRequest.Kind, _ value: JSONValue
  ) throws(BulkRequestError.Reason) {
    guard value.isObject, let id = value["id"]?.spelling.flatMap({ Int64($0) }) else {
      throw .noNumber
    }
    self.init(id: Product.ID(rawValue: id))
    guard kind == .edit else { return }
    for member in value.members where member.key != "id" {
      guard let field = Self.fields[member.key] else { throw .unknownField(member.key) }
      // An amount is read as a JSON number: 12.500 has decimals and no group separator.
      let text =
        switch field.kind {
        case _ where member.value.isNull: field.standard == .absent ? "" : nil
        case .amount, .flag: ProductFile.text(of: member.value, field.kind)
        default: member.value.spelling
        }
      guard let text else { throw .badValue(field) }
      entries.texts[field] = text
    }
  }

  /// Text fields by their names in files.
  fileprivate static let fields = Dictionary(
    uniqueKeysWithValues: FormValues.fields.map { ($0.rawValue, $0) })
}

/// Run of a request for several products with one password; prints a result for each.
struct BulkRun {
  let orders: BulkRequest
  let selling: HeadlessSelling
  let writesJSON: Bool
  let strings: Strings
  /// Returns the sentence about a failure.
  let text: (HeadlessSelling.Failure) -> SafeText

  /// Result of one product.
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
        case .repository, .mayBeListed, .field, .photo, .tooManyPhotos, .photosFixed,
          .unnamedSeller,
          .otherSeller, .accountNotMade, .soldNotReserved:
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

  /// Exit statuses from the best to the worst.
  private static let statuses = [
    0, ExitStatus.notFound, ExitStatus.wrongPassword, ExitStatus.failure,
  ]

  /// Processes the products one by one; returns the worst exit status.
  func run() async -> Int32 {
    var worst = 0
    var isAway = false
    for item in orders.items {
      var change: PriceChange?
      let failure = isAway ? nil : await carryOut(item, &change)
      let result = isAway ? .notReached : failure.map(Result.init) ?? .done
      say(item.id, result, failure, change)
      worst = max(worst, Self.statuses.firstIndex(of: result.status) ?? 0)
      // Further requests would only wait for the market as well.
      if case .repository(.unreachable)? = failure { isAway = true }
    }
    return Self.statuses[worst]
  }

  private func carryOut(
    _ item: BulkRequest.Item, _ change: inout PriceChange?
  ) async -> HeadlessSelling.Failure? {
    do throws(HeadlessSelling.Failure) {
      switch orders.kind {
      case .edit:
        let (before, after) = try await selling.edit(item.id, item.entries)
        change = PriceChange(before, after)
      case .deletion: _ = try await selling.delete(item.id)
      }
      return nil
    } catch {
      return error
    }
  }

  private func say(
    _ id: Product.ID, _ result: Result, _ failure: HeadlessSelling.Failure?, _ change: PriceChange?
  ) {
    guard writesJSON else {
      let done: Phrase = orders.kind == .edit ? .soldChanged : .soldDeleted
      let words = failure.map(text) ?? strings[result == .done ? done : .bulkNotReached]
      let prices = change.map { ", " + $0.text } ?? .empty
      return Console.say(SafeText(id.rawValue) + ": " + words + prices)
    }
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("id", id.rawValue)
    writer.member("result", result.rawValue)
    change?.write(to: &writer)
    if let failure { writer.member("error", text(failure).string) }
    writer.endObject()
    Console.say(String(decoding: writer.bytes, as: UTF8.self))
  }
}

/// Price to pay before and after an edit.
struct PriceChange: Hashable {
  let before: Money
  let after: Money

  /// Nil if the price to pay did not change, or one is unreadable.
  init?(_ before: ProductDetail, _ after: ProductDetail) {
    guard let old = before.product.pricing.price?.toPay,
      let new = after.product.pricing.price?.toPay, old != new
    else { return nil }
    (self.before, self.after) = (old, new)
  }

  var text: SafeText { MoneyText.change(from: before, to: after) }

  /// Writes the members `before` and `after`.
  func write(to writer: inout JSONWriter) {
    for (key, money) in [("before" as StaticString, before), ("after", after)] {
      writer.key(key)
      writer.beginObject()
      writer.member("price", hundredths: money.hundredths)
      writer.member("currency", money.currency.rawValue)
      writer.endObject()
    }
  }
}

extension ScriptCommands {
  /// Edits or deletes several products with one password; exits.
  func sell(_ orders: BulkRequest) async -> Never {
    await sellSeveral(orders) { orders }
  }

  /// Edits or deletes the products in a JSON file, or on standard input after the password; exits.
  func sellFromJSON(_ kind: BulkRequest.Kind, _ path: String) async -> Never {
    let read = { Self.orders(kind, at: path, strings) }
    await sellSeveral(path == "-" ? nil : read(), reading: read)
  }

  private static func orders(
    _ kind: BulkRequest.Kind, at path: String, _ strings: Strings
  ) -> BulkRequest {
    do {
      return try BulkRequest.read(kind, bytes(at: path))
    } catch let error as BulkRequestError {
      Console.fail(error.text(in: path, strings), status: ExitStatus.usage)
    } catch {
      Console.fail(strings(.bulkNoFile, SafeText(path)), status: ExitStatus.usage)
    }
  }

  private static func bytes(at path: String) throws -> [UInt8] {
    guard path != "-" else {
      return try FileDescriptorIO.readAll(from: STDIN_FILENO, limit: BulkRequest.maxBytes)
    }
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw SystemError(number: errno) }
    defer { close(file) }
    return try FileDescriptorIO.readAll(from: file, limit: BulkRequest.maxBytes)
  }
}
