import ClusterTestSupport
import Glibc
import TestSupport

/// Uses three servers on one database while they come and go, and says what it saw; then measures
/// how many requests three answer beside one.
@main enum ClusterProgram {
  private static let defaultSeconds = 30.0

  static func main() async throws {
    let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? defaultSeconds
    guard ClusterLoadTest.isPossible else {
      print(ClusterLoadTest.hint)
      exit(2)
    }
    let picture = try FileContent(of: "Tests/Fixtures/Pictures/baseline.jpg").bytes
    let isSound = try await endure(seconds, picture)
    exit(isSound ? 0 : 1)
  }

  /// - Returns: whether nothing was lost, and everything was answered within five seconds.
  private static func endure(_ seconds: Double, _ picture: [UInt8]) async throws -> Bool {
    let city = try ClusterLoadTest()
    let client = try ClusterClient(city.address)
    let load = ClusterLoad(
      by: client, picture: picture, .seconds(seconds), events: city.misfortunes)
    let report = await load.run()
    let losses = report.losses(among: try await client.products())
    let rate = Int(Double(report.answers) / report.seconds)
    print("answers          \(report.answers), \(rate) a second")
    print("products         \(report.acknowledged.count) acknowledged")
    print("lost or doubled  \(losses.count)")
    print("wrong answers    \(report.mistakes.count)")
    for (failure, count) in report.failures.sorted(by: { $0.key.event < $1.key.event }) {
      print("nobody answered  \(count) times while \(failure.kind), \(failure.event)")
    }
    print("longest wait     \(report.maxWait)")
    for line in (losses + report.mistakes).prefix(10) { print(line) }
    return losses.isEmpty && report.mistakes.isEmpty && report.maxWait < .seconds(5)
  }
}
