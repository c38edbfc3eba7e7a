import Glibc
import MarketModel
import PictureKit
import SampleMarket
import TerminalTestSupport

extension Section {
  /// Pictures as block characters beside those of chafa, both as whole processes.
  static var blocks: Section {
    Section(
      name: "sextants, as a share of chafa's",
      benchmarks: [
        Benchmark(
          [
            Figure("error, sample pictures", .times, atMost: 1),
            Figure("time, sample pictures", .times, atMost: 0.2),
          ], Market.Setting(store: .none), isCompared: false, measure: sample),
        Benchmark(
          [Figure("time, JPEG of 12 megapixels", .times, atMost: 0.5)],
          Market.Setting(store: .none), isCompared: false, measure: large),
      ])
  }

  private static let columns = 40
  private static let rows = 20

  private static func sample(_ subject: Subject) throws -> [Double?] {
    let files = SampleMarket.products().flatMap(\.pictures).map(\.bytes)
    let paths = try files.enumerated().map { number, bytes in
      try write(bytes, "sample-\(number)", subject)
    }
    var errors = (ours: 0.0, chafa: 0.0)
    for (bytes, path) in zip(files, paths).prefix(40) {
      let source = try PictureDecoder().decode(bytes, into: PictureHeader(bytes).size)
      errors.ours += CellPicture(try run(ours(subject), [path], subject)).error(against: source)
      errors.chafa += CellPicture(try run(chafa, [path], subject)).error(against: source)
    }
    return [errors.ours / errors.chafa, try share(paths, subject)]
  }

  private static func large(_ subject: Subject) throws -> [Double?] {
    let size = PixelSize(width: 4_000, height: 3_000)
    let pixels = (0..<size.pixelCount).flatMap { index in
      let (column, row) = (index % size.width, index / size.width)
      let grain = UInt8(truncatingIfNeeded: (column &* 31 ^ row &* 17) & 31)
      return [UInt8(column / 16 % 224) + grain, UInt8(row / 12 % 224) + grain, grain &* 4, 255]
    }
    let file = try PictureEncoder.jpeg(Bitmap(size: size, pixels: pixels), quality: 85)
    return [try share([write(file, "large", subject)], subject)]
  }

  /// Our time over chafa's, in turns.
  private static func share(_ paths: [String], _ subject: Subject) throws -> Double? {
    let times = try (0..<5).map { _ in
      (try time(ours(subject), paths, subject), try time(chafa, paths, subject))
    }
    guard let ours = times.map(\.0).median, let chafa = times.map(\.1).median else { return nil }
    return ours / chafa
  }

  private static func time(
    _ command: [String], _ paths: [String], _ subject: Subject
  ) throws -> Double {
    try ContinuousClock().measure { _ = try run(command, paths, subject) }.milliseconds
  }

  private static func run(
    _ command: [String], _ paths: [String], _ subject: Subject
  ) throws -> String {
    let run = try PipedRun(command + paths, environment: subject.environment)
    guard run.exit == .exited(status: 0) else {
      throw BenchError.preparationFailed(command[0] + ": " + run.errors)
    }
    return run.output
  }

  private static let chafa = [
    "chafa", "--format", "symbols", "--symbols", "sextant", "--colors", "full", "--stretch",
    "--size", "\(columns)x\(rows)",
  ]

  /// The program beside the market's.
  private static func ours(_ subject: Subject) -> [String] {
    let folder = subject.command[0].split(separator: "/", omittingEmptySubsequences: false)
      .dropLast().joined(separator: "/")
    return [folder + "/PictureCells", "\(columns)", "\(rows)"]
  }

  private static func write(
    _ bytes: [UInt8], _ name: String, _ subject: Subject
  ) throws -> String {
    let path = (subject.environment["HOME"] ?? "/tmp") + "/" + name
    guard let file = fopen(path, "w") else { throw BenchError.cannotWrite(path: path) }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
      throw BenchError.cannotWrite(path: path)
    }
    return path
  }
}
