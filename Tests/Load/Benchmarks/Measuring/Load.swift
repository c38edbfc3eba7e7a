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
    try measure(asking: targets.map { ($0.server.name, $0.server.address + $0.path, nil) })
  }

  /// Loads addresses in turns, of which each is asked for in one form.
  ///
  /// - Returns: by the names.
  /// - Throws: as above.
  static func measure(
    asking targets: [(name: String, url: String, mediaType: String?)]
  ) throws -> [String: Load] {
    guard Tool.isInstalled("wrk") else { return [:] }
    var loads: [String: [Load]] = [:]
    for _ in 0..<rounds {
      for (name, url, type) in targets {
        loads[name, default: []].append(try one(url, accepting: type))
      }
    }
    return loads.compactMapValues { $0.sorted { $0.perSecond < $1.perSecond }[rounds / 2] }
  }

  /// Loads one server for some seconds.
  ///
  /// - Returns: how many requests it has answered.
  /// - Throws: as `measure`.
  static func requests(to url: String, seconds: Int) throws -> Int {
    let run = try run([url], connections: connections, seconds: seconds)
    return try number(in: run, before: "requests in")
  }

  /// Loads several servers at once, each over so many connections.
  ///
  /// - Returns: what they answer a second, all together.
  /// - Throws: as `measure`.
  static func perSecond(of urls: [String], connections: Int) throws -> Double {
    let report = try run(urls, connections: connections, seconds: seconds)
    let rates = report.split(separator: "\n").filter { $0.hasPrefix("Requests/sec:") }
      .compactMap { Double($0.dropFirst("Requests/sec:".count).drop { $0 == " " }) }
    guard rates.count == urls.count, !report.contains("Non-2xx") else {
      throw BenchError.noAnswer(urls.joined(separator: ", ") + "\n" + report)
    }
    return rates.reduce(0, +)
  }

  /// What wrk reports of each, one after the other.
  private static func run(_ urls: [String], connections: Int, seconds: Int) throws -> String {
    guard Tool.isInstalled("wrk") else { throw BenchError.preparationFailed("wrk is missing") }
    let options = "-t 1 -c \(connections) -d \(seconds)s"
    let script = urls.indices.map { "wrk \(options) \"$\($0 + 1)\" & " }.joined() + "wait"
    return try PipedRun(["sh", "-c", script, "sh"] + urls, environment: Tool.environment).output
  }

  private static func number(in report: String, before words: String) throws -> Int {
    let line = report.split(separator: "\n").first { $0.contains(words) }
    guard let number = line?.split(separator: " ").first.flatMap({ Int($0) }) else {
      throw BenchError.noAnswer("a report of wrk")
    }
    return number
  }

  private static func one(_ url: String, accepting type: String?) throws -> Load {
    let header = type.map { ["-H", "Accept: \($0)"] } ?? []
    let run = try PipedRun(
      ["wrk", "-t", "1", "-c", "\(connections)", "-d", "\(seconds)s", "--latency"] + header + [url],
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
