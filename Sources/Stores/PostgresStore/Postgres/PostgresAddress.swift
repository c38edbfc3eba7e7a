internal import CPostgres
import Dispatch
import Glibc

/// The address of a database, as libpq reads it.
struct PostgresAddress {
  /// Why an address is refused that is not readable; libpq's own words repeat what they are about.
  static let unreadable =
    "its address cannot be read; in a password @ is written %40, / %2F and % %25"

  /// `postgresql://USER:PASSWORD@HOST/NAME?...`, or libpq's `key=value` pairs.
  private let text: String

  init(_ text: String) {
    self.text = text
  }

  /// Whether libpq reads it as it was meant, so that none of its messages takes a part of the password
  /// for a host or a port: false for others than libpq knows, and where an `@` is left beside the one
  /// before the host.
  var isReadable: Bool {
    guard let options = PQconninfoParse(text, nil) else { return false }
    PQconninfoFree(options)
    let position = text.prefix { $0 != "?" }
    let signs = position.drop { $0 != ":" }.dropFirst("://".count)
    let user = signs.prefix { $0 != "/" }
    return signs.count { $0 == "@" } == user.count { $0 == "@" }
      && user.count { $0 == "@" } <= 1
  }

  /// Parameters of connections unless the address, or libpq's own variable, says otherwise: none
  /// waits for long to be made, and none sends for long into nothing (`tcp_user_timeout`, tcp(7)).
  private static var defaults: [(String, String)] {
    var defaults = [
      ("fallback_application_name", "market-server"), ("keepalives_idle", "30"),
      ("keepalives_interval", "5"), ("keepalives_count", "3"), ("tcp_user_timeout", "6000"),
    ]
    if getenv("PGCONNECT_TIMEOUT") == nil { defaults.append(("connect_timeout", "3")) }
    return defaults
  }

  /// Number of places at which the database may be: that of the hosts that the address names.
  var placeCount: Int { max(1, lists(of: Self.hostParameters).map(\.count).max() ?? 1) }

  /// Whether whoever connects comes to the one server that takes writes, as far as the address says:
  /// where it names one host, or asks for a writable one of several.
  var leadsToPrimary: Bool {
    let wanted = lists(of: ["target_session_attrs"])[0].first ?? "any"
    return ["read-write", "primary"].contains(wanted) || (wanted == "any" && placeCount == 1)
  }

  private static let hostParameters = ["host", "hostaddr"]
  private static let placeParameters = hostParameters + ["port"]

  /// Begins to connect to one of the hosts, which `PQconnectPoll` goes on with; of the parameters later
  /// ones win over earlier ones, and `dbname` may be a whole address.
  func start(at position: Int = 0) -> OpaquePointer? {
    var parameters = Self.defaults + [("dbname", text), ("client_encoding", "UTF8")]
    let listed = lists(of: Self.placeParameters)
    // One port may be that of all hosts. Where there are other numbers of them, libpq says so.
    if placeCount > 1, listed.allSatisfy({ $0.count < 2 || $0.count == placeCount }) {
      for (name, values) in zip(Self.placeParameters, listed) {
        guard let value = values.count > 1 ? values[position] : values.first else { continue }
        parameters.append((name, value))
      }
    }
    return Self.withCStrings(parameters.flatMap { [$0.0, $0.1] }) { pointers in
      let keys = stride(from: 0, to: pointers.count, by: 2).map { Optional(pointers[$0]) }
      let values = stride(from: 1, to: pointers.count, by: 2).map { Optional(pointers[$0]) }
      return PQconnectStartParams(keys + [nil], values + [nil], 1)
    }
  }

  /// The values of parameters that the address itself has, each as a list by commas.
  private func lists(of names: [String]) -> [[String]] {
    guard let options = PQconninfoParse(text, nil) else { return names.map { _ in [] } }
    defer { PQconninfoFree(options) }
    return names.map { name in
      var option = options
      while let keyword = option.pointee.keyword {
        if String(cString: keyword) == name, let value = option.pointee.val {
          return String(cString: value).split(separator: ",", omittingEmptySubsequences: false)
            .map(String.init)
        }
        option += 1
      }
      return []
    }
  }

  private static func withCStrings<Answer>(
    _ texts: [String], _ body: ([UnsafePointer<CChar>]) -> Answer
  ) -> Answer {
    var pointers: [UnsafePointer<CChar>] = []
    func lend(_ rest: ArraySlice<String>) -> Answer {
      guard let text = rest.first else { return body(pointers) }
      return text.withCString { pointer in
        pointers.append(pointer)
        return lend(rest.dropFirst())
      }
    }
    return lend(texts[...])
  }
}

/// Refusal of a connection, which may be final or pass.
enum ConnectionRefusal {
  private static let timeout = DispatchTimeInterval.seconds(3)
  /// Classes of errors that stay until somebody changes the address or the database's rules: who may
  /// come in, no such database, and no right to connect (PostgreSQL, "Error Codes").
  private static let final = ["28", "3D", "42"]

  /// Asks once more, for the code of the error alone: its words are the database's own language.
  ///
  /// False also where nothing answers.
  static func isFinal(at address: String) -> Bool {
    guard let pointer = PostgresAddress(address).start() else { return false }
    defer { PQfinish(pointer) }
    PQsetErrorVerbosity(pointer, PQERRORS_SQLSTATE)
    let deadline = DispatchTime.now() + timeout
    var step = PGRES_POLLING_WRITING
    while step == PGRES_POLLING_READING || step == PGRES_POLLING_WRITING {
      let isReady = SocketWait.untilReady(
        PQsocket(pointer), toWrite: step == PGRES_POLLING_WRITING, before: deadline)
      guard isReady else { return false }
      step = PQconnectPoll(pointer)
    }
    let words = String(cString: PQerrorMessage(pointer)).split { $0 == " " || $0 == "\n" }
    guard let code = words.last, code.utf8.count == 5 else { return false }
    return final.contains { code.hasPrefix($0) }
  }
}

/// Options of connections to a database.
struct PostgresOptions: Sendable {
  /// Time that a statement may take, and that a free connection is waited for.
  var timeoutMilliseconds: Int
  /// Whether the database itself ends statements that take longer.
  var limitsStatements = true
  /// Further settings of a session, `name = value` each.
  var furtherSettings: [String] = []
  /// Host that is tried first; nil is the address's first.
  var preferred: PreferredHost?
  /// Watch over which server takes writes; nil where connections stay where they are.
  var watch: PrimaryMonitor?

  /// The rules of connections to a standby; nil for the market's own database.
  var replica: ReplicaConnectionRules?

  /// Options of changes of the tables, which take as long as they take.
  static let unhurried = PostgresOptions(
    timeoutMilliseconds: 7 * 86_400_000, limitsStatements: false)

  /// How PostgreSQL is to plan statements that are all short: what compiling them or starting helpers
  /// takes is more than it saves, and a set of finds that does not fit is compared as a whole.
  private static let planning = [
    "jit = off", "max_parallel_workers_per_gather = 0", "work_mem = '32MB'",
  ]

  /// Settings that each session begins with; others than PostgreSQL may not know all of its own.
  func settings(isPostgres: Bool) -> [String] {
    let limit = limitsStatements ? timeoutMilliseconds : 0
    return [
      "statement_timeout = \(limit)", "idle_in_transaction_session_timeout = \(limit * 2)",
    ] + (isPostgres && limitsStatements ? Self.planning : []) + furtherSettings
  }
}
