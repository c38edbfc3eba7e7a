import TerminalTestSupport

/// What a server did for 16 connections at once.
struct Load {
  private static let connections = 16
  private static let seconds = 1
  private static let rounds = 3

  let perSecond: Double
  /// Latencies in milliseconds.
  let median: Double
  let p99: Double

  /// Loads servers in turns, so that what else the machine does meets all of them.
  ///
  /// - Parameter targets: servers and what to get from each.
  /// - Returns: by the servers' names, the round with the median of requests; empty without wrk.
  /// - Throws: `.noAnswer` if one answered anything but success.
  static func measure(
    _ targets: [(server: LocalServer, path: String)]
  ) throws -> [String: Load] {
    guard Tool.isInstalled("wrk") else { return [:] }
    var loads: [String: [Load]] = [:]
    for _ in 0..<rounds {
      for (server, path) in targets {
        loads[server.name, default: []].append(try one(server.address + path))
      }
    }
    return loads.compactMapValues { $0.sorted { $0.perSecond < $1.perSecond }[rounds / 2] }
  }

  private static func one(_ url: String) throws -> Load {
    let run = try PipedRun(
      ["wrk", "-t", "1", "-c", "\(connections)", "-d", "\(seconds)s", "--latency", url],
      environment: Tool.environment)
    guard let load = Load(report: run.output) else { throw BenchError.noAnswer(url) }
    return load
  }

  /// Reads what wrk prints; none where answers failed.
  private init?(report: String) {
    var fields: [Substring: Substring] = [:]
    for line in report.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count >= 2 { fields[words[0]] = words[1] }
    }
    guard fields["Non-2xx"] == nil, fields["Socket"] == nil,
      let perSecond = fields["Requests/sec:"].flatMap({ Double($0) }), perSecond > 0,
      let median = fields["50%"].flatMap(Self.milliseconds),
      let p99 = fields["99%"].flatMap(Self.milliseconds)
    else { return nil }
    (self.perSecond, self.median, self.p99) = (perSecond, median, p99)
  }

  /// Reads `12.50us`, `1.07ms` or `1.20s`.
  private static func milliseconds(_ text: Substring) -> Double? {
    let unit = text.drop { $0.isNumber || $0 == "." }
    let scale = ["us": 0.001, "ms": 1, "s": 1_000][unit]
    guard let scale, let number = Double(text.dropLast(unit.count)) else { return nil }
    return number * scale
  }
}
