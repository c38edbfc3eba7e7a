import MarketAPI
import MarketMoving
import MarketServer
import MarketStore
import MarketStrings

/// What the command line asks for.
struct ServerOptions: Hashable {
  /// What is to be done.
  enum Task: Hashable {
    case serve
    /// Ask whether a server answers at this address; nil is where this one would listen.
    case check(String?)
    /// Move the market instead of serving it.
    case move(MovingOrder)
    case help
  }

  /// What is wrong with a command line, in one sentence.
  struct Mistake: Error, Hashable {
    let text: String
  }

  var task = Task.serve
  var address = HostAndPort(host: "127.0.0.1", port: 8_080)
  /// Another file than the default store, or the address of a database.
  var storePath: String?
  var variant = ProductsDialect.Variant.y2023
  /// What addresses in answers begin with, where it is not what the client asked.
  var publicURL: String?
  var trustsProxy = false
  /// How much the market takes in.
  var intake = IntakeLimits()
  /// The language of what moving says, and of why a market cannot be served.
  var language = Language.english

  /// - Parameter words: the command line without the program's name.
  /// - Throws: the first mistake.
  init(_ words: [String]) throws(Mistake) {
    var rest = words[...]
    while let word = rest.popFirst() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      switch name {
      case "--help": task = .help
      case "--trust-proxy": trustsProxy = true
      case "--check" where parts.count == 1 && rest.first?.hasPrefix("--") != false:
        task = .check(nil)
      case "--strict", "--replace":
        guard case .move(var order) = task else { throw Mistake(text: "\(name) moves nothing") }
        if name == "--strict" { order.isStrict = true } else { order.replaces = true }
        task = .move(order)
      default:
        if let direction = MovingOrder.Task(rawValue: name) {
          guard let path = rest.popFirst() else { throw Mistake(text: "\(name) needs a file") }
          task = .move(MovingOrder(direction, path))
          continue
        }
        guard Self.valued.contains(name) else {
          throw Mistake(text: "\(MarketPlace.withoutAddress(name)) is no option")
        }
        guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
          throw Mistake(text: "\(name) needs a value")
        }
        guard set(name, to: value) else {
          throw Mistake(text: "\(name) cannot be \(MarketPlace.withoutAddress(value))")
        }
      }
    }
  }

  private static let valued = [
    "--listen", "--store", "--api", "--public-url", "--check", "--language", "--quota", "--rate",
  ]

  /// Where the market is.
  var place: MarketPlace { MarketPlace(storePath ?? DefaultStore.path) }

  /// Takes a value; false where it cannot be one.
  private mutating func set(_ name: String, to value: String) -> Bool {
    switch (name, value) {
    case ("--api", "2023"): variant = .y2023
    case ("--api", "2022"): variant = .y2022
    case ("--store", _) where !value.isEmpty: storePath = value
    case ("--public-url", _) where Self.isWebAddress(value): publicURL = value
    case ("--check", _) where value.hasPrefix("http://"): task = .check(value)
    case ("--check", _) where HostAndPort(value) != nil: task = .check("http://" + value)
    case ("--quota", _):
      guard let bytes = Self.bytes(value) else { return false }
      intake.storeBytes = bytes
    case ("--rate", _):
      guard let count = Int(value), (0...60_000).contains(count) else { return false }
      intake.registrationsPerMinute = count == 0 ? nil : count
    case ("--language", _):
      guard let language = Language(rawValue: value) else { return false }
      self.language = language
    case ("--listen", _):
      guard let address = HostAndPort(value) else { return false }
      self.address = address
    default: return false
    }
    return true
  }

  /// Reads a size: a number above 0 of bytes, or of K, M, G or T (powers of 1,024).
  private static func bytes(_ text: String) -> Int64? {
    let units: [Character: Int64] = ["K": 10, "M": 20, "G": 30, "T": 40]
    let shift = text.uppercased().last.flatMap { units[$0] }
    guard let count = Int64(shift == nil ? text : String(text.dropLast())), count > 0 else {
      return nil
    }
    let (bytes, isTooMuch) = count.multipliedReportingOverflow(by: 1 << (shift ?? 0))
    return isTooMuch ? nil : bytes
  }

  private static func isWebAddress(_ text: String) -> Bool {
    let starts = ["http://", "https://"].contains { text.hasPrefix($0) && text.count > $0.count }
    return starts && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
  }
}
