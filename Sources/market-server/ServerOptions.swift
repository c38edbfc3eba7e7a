import MarketAPI
import MarketModel
import MarketMoving
import MarketServer
import MarketStrings
import SafeText
import StoreCore

/// What the command line asks for.
struct ServerOptions: Hashable {
  /// What is to be done.
  enum Task: Hashable {
    case serve
    /// Ask whether a server answers at this address; nil is where this one would listen.
    case check(String?)
    /// Move the market instead of serving it.
    case move(MovingOrder)
    /// Do what only whoever runs the market may.
    case operate(OperatorOrder)
    case help
    case version
  }

  /// What is wrong with a command line, in one sentence.
  struct Mistake: Error {
    let text: @Sendable (Strings) -> String

    init(_ text: @escaping @Sendable (Strings) -> String) { self.text = text }

    init(text: String) { self.init { _ in text } }
  }

  var task = Task.serve
  var address = HostAndPort(host: "127.0.0.1", port: 8_080)
  /// Another file than the default store, or the address of a database.
  var storePath: String?
  /// A file that holds the address of a database.
  var storeFile: String?
  /// Whether a password may stand in the arguments.
  var allowsOpenPassword = false
  /// How long a database is waited for at the start.
  var waitSeconds = 60
  /// How long requests are still taken once the server is to stop.
  var drainSeconds = 0
  /// The dialect that is answered in where several read the same paths; nil is the latest.
  var api: String?
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
      case "--version": task = .version
      case "--trust-proxy": trustsProxy = true
      case "--insecure-password-in-arguments": allowsOpenPassword = true
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
        if OperatorOrder.commands.contains(name) {
          task = .operate(try Self.order(name, &rest))
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

  /// The language that a command line asks for, whatever else is wrong with it.
  static func language(in words: [String]) -> Language {
    let names =
      zip(words, words.dropFirst()).filter { $0.0 == "--language" }.map(\.1)
      + words.filter { $0.hasPrefix("--language=") }.map {
        String($0.dropFirst("--language=".count))
      }
    return names.compactMap { Language(rawValue: $0) }.last ?? .english
  }

  private static let valued = [
    "--listen", "--store", "--store-file", "--wait", "--drain", "--api", "--public-url", "--check",
    "--language", "--quota", "--rate", "--id", "--name",
  ]
  /// Systemd kills after 90 seconds what it has asked to end.
  private static let drainLimit = 60
  private static let waitLimit = 86_400

  /// Finds out where the market is.
  ///
  /// - Returns: the file or the database.
  /// - Throws: what is wrong with how that was said.
  func place() throws(Mistake) -> MarketPlace {
    if let storeFile {
      guard storePath == nil else {
        throw Mistake { $0(.usageContradiction, "--store", "--store-file").string }
      }
      return try AddressFile(path: storeFile).place()
    }
    guard let storePath else { return .file(DefaultStore.path) }
    do throws(MarketPlace.Mistake) {
      return try MarketPlace(argument: storePath, allowsPassword: allowsOpenPassword)
    } catch {
      switch error {
      case .pairs: throw Mistake { $0[.databasePairs].string }
      case .openPassword: throw Mistake { $0[.databaseOpenPassword].string }
      }
    }
  }

  /// Takes a value; false where it cannot be one.
  private mutating func set(_ name: String, to value: String) -> Bool {
    switch (name, value) {
    case ("--api", _) where DialectList.market.servedNames.contains(value): api = value
    case ("--store", _) where !value.isEmpty: storePath = value
    case ("--store-file", _) where !value.isEmpty: storeFile = value
    case ("--wait", _):
      guard let seconds = Int(value), (0...Self.waitLimit).contains(seconds) else { return false }
      waitSeconds = seconds
    case ("--drain", _):
      guard let seconds = Int(value), (0...Self.drainLimit).contains(seconds) else { return false }
      drainSeconds = seconds
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
    case ("--id", _), ("--name", _):
      guard case .operate(.setSeller(var number, var givenName)) = task else { return false }
      if name == "--name" {
        givenName = value
      } else {
        guard let id = Int64(value), Seller.ID.assignable.contains(id) else { return false }
        number = Seller.ID(rawValue: id)
      }
      task = .operate(.setSeller(number: number, name: givenName))
    case ("--listen", _):
      guard let address = HostAndPort(value) else { return false }
      self.address = address
    default: return false
    }
    return true
  }

  /// An operator's order; its words end where an option begins.
  private static func order(
    _ name: String, _ rest: inout ArraySlice<String>
  ) throws(Mistake) -> OperatorOrder {
    var words = rest.prefix { !$0.hasPrefix("--") }
    rest = rest[words.endIndex...]
    do throws(OperatorOrder.Mistake) {
      let order = try OperatorOrder(name, &words)
      if let word = words.first { throw .noNumber(word) }
      return order
    } catch {
      switch error {
      case .missing(let usage): throw Mistake(text: "write \(usage)")
      case .noNumber(let word):
        throw Mistake(text: "\(name): \(MarketPlace.withoutAddress(word)) is no number")
      }
    }
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
