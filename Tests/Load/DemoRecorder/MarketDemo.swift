import Glibc
import TestSupport

/// Draws the README's moving picture from screens that the program really shows:
/// `market-demo FILE`.
@main enum MarketDemo {
  static func main() {
    guard CommandLine.arguments.count == 2 else {
      print("usage: market-demo FILE")
      exit(2)
    }
    do {
      var picture = DemoPicture(size: DemoRun.size, cell: DemoRun.cell)
      for run in DemoRun.all { try run.play { try picture.add($0) } }
      try FileContent(bytes: Array(picture.svg.utf8)).write(to: CommandLine.arguments[1])
    } catch {
      print("market-demo: \(error)")
      exit(1)
    }
  }
}
