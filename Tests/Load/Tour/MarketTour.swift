import Glibc
import TestSupport

/// Draws the README's moving picture from screens that the program really shows:
/// `market-tour FILE`.
@main enum MarketTour {
  static func main() {
    guard CommandLine.arguments.count == 2 else {
      print("usage: market-tour FILE")
      exit(2)
    }
    do {
      var picture = TourPicture(size: TourRun.size, cell: TourRun.cell)
      for run in TourRun.all { try run.play { try picture.add($0) } }
      try FileContent(bytes: Array(picture.svg.utf8)).write(to: CommandLine.arguments[1])
    } catch {
      print("market-tour: \(error)")
      exit(1)
    }
  }
}
