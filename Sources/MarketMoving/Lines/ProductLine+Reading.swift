import MarketAPI
import MarketModel
import TextCoding

extension ProductLine {
  /// Reads a product; a name and a price are enough.
  ///
  /// - Parameters:
  ///   - bytes: the line.
  ///   - now: when a product without dates was made, in seconds since 1970.
  /// - Returns: the product, its pictures by their names in the archive.
  /// - Throws: the first thing that is wrong with it.
  static func product(
    _ bytes: [UInt8], now: Int64
  ) throws(ImportProblem.Reason) -> ArchivedProduct {
    guard let document = try? JSONDocument(parsing: bytes, maximumDepth: 4),
      document.root.isObject
    else { throw .noObject }
    let root = document.root
    let created = try date(root["created"], "created") ?? now
    let product = ArchivedProduct(
      id: try integer(root["id"], "id").map(Product.ID.init(rawValue:)),
      seller: try seller(root["seller"]),
      name: try text(root["name"], "name") ?? "",
      description: try text(root["description"], "description") ?? "",
      price: try price(root),
      stock: try integer(root["stock"], "stock") ?? 0,
      created: created, changed: try date(root["changed"], "changed") ?? created,
      version: max(1, try integer(root["version"], "version") ?? 1),
      passwordHash: try text(root["passwordHash"], "passwordHash") ?? "",
      pictures: try pictures(root["pictures"]))
    try ArchiveRules.check(product)
    return product
  }

  private static func price(_ root: JSONValue) throws(ImportProblem.Reason) -> Price {
    guard let full = try amount(root["price"], "price") else {
      throw .field(FieldError(.price, .missing))
    }
    let discount = try amount(root["discount"], "discount") ?? 0
    let currency = try text(root["currency"], "currency") ?? Currency.krw.rawValue
    return try ArchiveRules.price(full, discount: discount, currency: currency)
  }

  private static func seller(_ value: JSONValue?) throws(ImportProblem.Reason) -> ArchivedSeller {
    guard let value else { return .guest }
    if let name = value.string { return ArchivedSeller(id: nil, name: name) }
    guard value.isObject, let name = value["name"]?.string else { throw .unreadable("seller") }
    let id = try integer(value["id"], "seller").map(Seller.ID.init(rawValue:))
    guard let digits = value["identifierHash"] else { return ArchivedSeller(id: id, name: name) }
    guard let hash = digits.string.flatMap(Hexadecimal.bytes(of:)), hash.count == 32 else {
      throw .unreadable("seller")
    }
    return ArchivedSeller(id: id, name: name, identifierHash: hash)
  }

  private static func pictures(_ value: JSONValue?) throws(ImportProblem.Reason) -> [String] {
    guard let value else { return [] }
    guard value.isArray else { throw .unreadable("pictures") }
    var names: [String] = []
    for element in value.elements {
      guard let name = element.string else { throw .unreadable("pictures") }
      names.append(name)
    }
    return names
  }

  private static func text(
    _ value: JSONValue?, _ name: String
  ) throws(ImportProblem.Reason) -> String? {
    guard let value else { return nil }
    guard let text = value.string else { throw .unreadable(name) }
    return text
  }

  private static func integer(
    _ value: JSONValue?, _ name: String
  ) throws(ImportProblem.Reason) -> Int64? {
    guard let value else { return nil }
    guard let number = value.number?.integer else { throw .unreadable(name) }
    return number
  }

  private static func amount(
    _ value: JSONValue?, _ name: String
  ) throws(ImportProblem.Reason) -> Int64? {
    guard let value else { return nil }
    guard let hundredths = value.number?.hundredths else { throw .unreadable(name) }
    return hundredths
  }

  /// Seconds since 1970, or a date as texts spell it.
  private static func date(
    _ value: JSONValue?, _ name: String
  ) throws(ImportProblem.Reason) -> Int64? {
    guard let value else { return nil }
    guard let text = value.text, let seconds = ArchiveRules.seconds(text) else {
      throw .unreadable(name)
    }
    return seconds
  }
}
