internal import CPostgres
import Dispatch
import Glibc

/// Address of a database, as libpq reads it.
struct PostgresAddress {
  /// Reason for an unreadable address; libpq's own message would repeat parts of the password.
  static let unreadable =
    "its address cannot be read; in a password @ is written %40, / %2F and % %25"

  /// `postgresql://USER:PASSWORD@HOST/NAME?...`, or libpq's `key=value` pairs.
  private let text: String

  init(_ text: String) {
    self.text = text
  }

  /// Whether libpq reads it as intended, so that none of its messages quotes a part of the password as a
  /// host or port: false where libpq cannot parse it, and where an `@` is left in the password.
  var isReadable: Bool {
    guard let options = PQconninfoParse(text, nil) else { return false }
    PQconninfoFree(options)
    let position = text.prefix { $0 != "?" }
    let signs = position.drop { $0 != ":" }.dropFirst("://".count)
    let user = signs.prefix { $0 != "/" }
    return signs.count { $0 == "@" } == user.count { $0 == "@" }
      && user.count { $0 == "@" } <= 1
  }

  /// Parameters of connections unless the address or libpq's environment variables set them: limits of
  /// connecting and of sending to a dead peer (`tcp_user_timeout`, tcp(7)).
  private static var defaults: [(String, String)] {
    var defaults = [
      ("fallback_application_name", "market-server"), ("keepalives_idle", "30"),
      ("keepalives_interval", "5"), ("keepalives_count", "3"), ("tcp_user_timeout", "6000"),
    ]
    if getenv("PGCONNECT_TIMEOUT") == nil { defaults.append(("connect_timeout", "3")) }
    return defaults
  }

  /// Number of hosts that the address names, at least 1.
  var hostCount: Int { max(1, lists(of: Self.hostParameters).map(\.count).max() ?? 1) }

  /// Whether a connection reaches the one server that takes writes, according to the address: it names
  /// one host, or asks for a writable one of several.
  var leadsToPrimary: Bool {
    let wanted = lists(of: ["target_session_attrs"])[0].first ?? "any"
    return ["read-write", "primary"].contains(wanted) || (wanted == "any" && hostCount == 1)
  }

  private static let hostParameters = ["host", "hostaddr"]
  private static let hostAndPortParameters = hostParameters + ["port"]

  /// Starts connecting to one of the hosts, to be continued by `PQconnectPoll`; later parameters override
  /// earlier ones, and `dbname` may be a whole address.
  func start(at position: Int = 0) -> OpaquePointer? {
    var parameters = Self.defaults + [("dbname", text), ("client_encoding", "UTF8")]
    let listed = lists(of: Self.hostAndPortParameters)
    // One port may be that of all hosts. libpq reports other mismatches.
    if hostCount > 1, listed.allSatisfy({ $0.count < 2 || $0.count == hostCount }) {
      for (name, values) in zip(Self.hostAndPortParameters, listed) {
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

  /// The values of parameters in the address itself, split at commas.
  private func lists(of names: [String]) -> [[String]] {
    guard let options = PQconninfoParse(text, nil) else { return names.map { _ in [] } }
    defer { PQconninfoFree(options) }
    return names.map { name in
      Self.value(of: name, in: options)?.split(separator: ",", omittingEmptySubsequences: false)
        .map(String.init) ?? []
    }
  }

  /// The value of a parameter in libpq's list of them; nil where it is not set.
  static func value(
    of name: String, in options: UnsafeMutablePointer<PQconninfoOption>
  ) -> String? {
    var option = options
    while let keyword = option.pointee.keyword {
      if String(cString: keyword) == name { return option.pointee.val.map { String(cString: $0) } }
      option += 1
    }
    return nil
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

/// Classification of a refused connection as final or temporary.
enum ConnectionRefusal {
  private static let timeout = DispatchTimeInterval.seconds(3)
  /// SQLSTATE classes that last until the address or the database's configuration changes:
  /// authentication, missing database, missing privilege (PostgreSQL, "Error Codes").
  private static let final = ["28", "3D", "42"]

  /// Connects once more, for the SQLSTATE only: the message is in the database's language.
  ///
  /// False also where no server answers.
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
  /// Maximum milliseconds of a statement, and of the wait for a free connection.
  var timeoutMilliseconds: Int
  /// Whether the database itself cancels statements after the timeout.
  var limitsStatements = true
  /// Further session settings, `name = value` each.
  var furtherSettings: [String] = []
  /// Host that is tried first; nil is the first in the address.
  var preferred: PreferredHost?
  /// Monitor of failovers; nil where connections stay with their server.
  var monitor: PrimaryMonitor?

  /// Rules of connections to a standby; nil for the market's own database.
  var replica: ReplicaConnectionRules?

  /// Options of migrations, which have no practical limit.
  static let unhurried = PostgresOptions(
    timeoutMilliseconds: 7 * 86_400_000, limitsStatements: false)

  /// Planner settings for short statements: JIT and parallel workers cost more than they save, and a
  /// bitmap that exceeds `work_mem` becomes lossy.
  private static let planning = [
    "jit = off", "max_parallel_workers_per_gather = 0", "work_mem = '32MB'",
  ]

  /// Settings of each session; other engines may not know all of PostgreSQL's.
  func settings(isPostgres: Bool) -> [String] {
    let limit = limitsStatements ? timeoutMilliseconds : 0
    return [
      "statement_timeout = \(limit)", "idle_in_transaction_session_timeout = \(limit * 2)",
    ] + (isPostgres && limitsStatements ? Self.planning : []) + furtherSettings
  }
}
