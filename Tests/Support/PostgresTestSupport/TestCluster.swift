import Glibc
import MarketModel
import MarketStore
import PostgresStore
import Synchronization
import TestSupport

/// A PostgreSQL server of its own in a temporary folder; it goes with its value, and at the latest
/// with the process.
///
/// A shell looks after it: it takes commands from its standard input, and at the end of those,
/// however that comes, it stops the server and deletes the folder.
package final class TestCluster: Sendable {
  private struct Shell: ~Copyable {
    let commands: Int32
    let answers: UnsafeMutablePointer<FILE>
    var schemaCount = 0
  }

  private let shell: Mutex<Shell>
  /// Where the server's socket is.
  package let folder: String

  /// The server that the tests of one run share; nil where PostgreSQL is not installed.
  package static let shared = isPossible ? try? TestCluster() : nil

  /// Whether PostgreSQL's own programs are here.
  package static var isPossible: Bool { !programs.isEmpty }

  /// What to do where it is not possible.
  package static let hint = "PostgreSQL is not installed: apt install postgresql"

  /// Makes and starts a server; takes about a second.
  ///
  /// - Parameter superuser: the role that may do everything.
  /// - Throws: where it does not start.
  package init(superuser: String = "market") throws {
    var input: [Int32] = [0, 0]
    var output: [Int32] = [0, 0]
    guard pipe(&input) == 0, pipe(&output) == 0, let answers = fdopen(output[0], "r")
    else { throw UnexpectedError(description: "no pipe") }
    // Closed in the other programs that tests start, or the shell would wait for those.
    for end in input + output { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    try Self.start(input: input[0], output: output[1], superuser: superuser)
    close(input[0])
    close(output[1])
    guard let folder = Self.line(from: answers), folder.hasPrefix("/") else {
      throw UnexpectedError(description: "PostgreSQL does not start")
    }
    self.folder = folder
    shell = Mutex(Shell(commands: input[1], answers: answers))
  }

  deinit {
    shell.withLock { shell in
      close(shell.commands)
      fclose(shell.answers)
    }
  }

  /// The address of a schema that holds nothing.
  package func emptySchema() throws -> String {
    let name = try shell.withLock { shell in
      shell.schemaCount += 1
      let name = "t\(shell.schemaCount)"
      try Self.order("schema \(name)", of: shell)
      return name
    }
    return "postgresql://market@/postgres?host=\(folder)&options=-csearch_path%3D\(name)"
  }

  /// Stops the server at once, cutting all connections, and starts it again.
  package func restart() throws {
    try shell.withLock { shell in try Self.order("restart", of: shell) }
  }

  /// Stops the server at once, for good.
  package func stop() throws {
    try shell.withLock { shell in try Self.order("stop", of: shell) }
  }

  /// Starts the server that was stopped.
  package func start() throws {
    try shell.withLock { shell in try Self.order("start", of: shell) }
  }

  /// Makes and starts a standby, which follows until it is told otherwise.
  package func startReplica() throws {
    try shell.withLock { shell in try Self.order("standby \(Self.replicaPort)", of: shell) }
  }

  /// Stops the standby at once, for good.
  package func stopReplica() throws {
    try shell.withLock { shell in try Self.order("fell", of: shell) }
  }

  /// The address at the standby of what is at an address of this server.
  package func replicaAddress(of address: String) -> String {
    address.replacing("host=\(folder)", with: "host=\(folder)&port=\(Self.replicaPort)")
  }

  /// From now on a commit is acknowledged only once a standby has it on its disk, which is as far away as a relay makes it seem.
  ///
  /// - Parameters:
  ///   - relay: the way from the standby, which has been started, to this server.
  ///   - address: of anything on this server.
  /// - Throws: where the standby does not follow.
  package func commitSynchronously(over relay: DatabaseRelay, at address: String) throws {
    let parts = relay.address.split(separator: ":")
    let replica = replicaAddress(of: address)
    let way = "host=\(parts[0]) port=\(parts[1]) user=market application_name=far"
    try run("ALTER SYSTEM SET primary_conninfo = '\(way)'", at: replica)
    try run("SELECT pg_reload_conf()", at: replica)
    try run("ALTER SYSTEM SET synchronous_standby_names = 'far'", at: address)
    try run("SELECT pg_reload_conf()", at: address)
    try run(
      "DO $$ BEGIN WHILE NOT EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync') LOOP "
        + "PERFORM pg_sleep(0.01), pg_stat_clear_snapshot(); END LOOP; END $$", at: address)
  }

  /// From now on commits are on the disk, as PostgreSQL has it by itself.
  package func writeThrough(at address: String) throws {
    try run("ALTER SYSTEM SET fsync = on", at: address)
    try run("SELECT pg_reload_conf()", at: address)
  }

  /// Lets the standby stand still at what it has by now, or go on.
  package func pauseReplica(_ isPaused: Bool, at address: String) throws {
    let replica = replicaAddress(of: address)
    guard isPaused else { return try run("SELECT pg_wal_replay_resume()", at: replica) }
    try run("SELECT pg_wal_replay_pause()", at: replica)
    try run(
      "DO $$ BEGIN WHILE pg_get_wal_replay_pause_state() <> 'paused' LOOP "
        + "PERFORM pg_sleep(0.01); END LOOP; END $$", at: replica)
  }

  /// The address of a new database.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - options: as `CREATE DATABASE` takes them.
  /// - Returns: the address.
  /// - Throws: where it cannot be made.
  package func database(_ name: String, _ options: String = "") throws -> String {
    try shell.withLock { shell in try Self.order("database \(name) \(options)", of: shell) }
    return "postgresql://market@/\(name)?host=\(folder)"
  }

  /// Fills an empty database with the dump of another one.
  package func restore(dumpOf name: String, into other: String) throws {
    try shell.withLock { shell in try Self.order("dump \(name) \(other)", of: shell) }
  }

  /// The port in its socket's name.
  package static let port = 5_432
  package static let replicaPort = 5_433

  /// Runs a script of SQL over a schema's address.
  package func run(_ sql: String, at address: String) throws {
    try shell.withLock { shell in try Self.order("sql \(address) \(sql)", of: shell) }
  }

  private static func order(_ command: String, of shell: borrowing Shell) throws {
    let bytes = Array((command + "\n").utf8)
    guard write(shell.commands, bytes, bytes.count) == bytes.count,
      line(from: shell.answers) == "done"
    else { throw UnexpectedError(description: "PostgreSQL does not \(command)") }
  }

  private static func line(from file: UnsafeMutablePointer<FILE>) -> String? {
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    guard getline(&line, &capacity, file) > 0, let line else { return nil }
    return String(String(cString: line).dropLast())
  }
}
