import Glibc
import MarketModel
import PictureKit
import SampleMarket
import TerminalTestSupport

extension Section {
  /// Pictures as block characters beside those of chafa.
  ///
  /// The error is the mean square over red, green and blue as they stand in the file, of each pixel
  /// of the whole picture. The time of the sample pictures is what one more of them costs a process
  /// that reads, decodes and prints many, so that neither program's start counts; that of the large
  /// one is of the whole process.
  static var blocks: Section {
    Section(
      name: "blocks with sextants, as a share of chafa's",
      benchmarks: [
        Benchmark(
          [
            Figure("error, sample pictures", .times, atMost: 1.02),
            Figure("time a picture, sample JPEGs", .times, atMost: 0.2),
            Figure("time a picture, all samples", .times),
          ], Market.Setting(store: .none), isCompared: false, measure: sample),
        Benchmark(
          [Figure("time, JPEG of 12 megapixels", .times, atMost: 0.5)],
          Market.Setting(store: .none), isCompared: false, measure: large),
      ])
  }

  private static let columns = 40
  private static let rows = 20

  private static func sample(_ subject: Subject) throws -> [Double?] {
    let files = EmbeddedSample.products(in: .korean).flatMap(\.pictures).map(\.bytes)
    let paths = try files.enumerated().map { number, bytes in
      try write(bytes, "sample-\(number)", subject)
    }
    var errors = (ours: 0.0, chafa: 0.0)
    for (bytes, path) in zip(files, paths).prefix(40) {
      let source = try PictureDecoder().decode(bytes, into: PictureHeader(bytes).size)
      errors.ours += CellPicture(try run(ours(subject), [path], subject)).error(against: source)
      errors.chafa += CellPicture(try run(chafa, [path], subject)).error(against: source)
    }
    let jpegs = zip(files, paths).filter { PictureFormat(sniffing: $0.0) == .jpeg }.map(\.1)
    return [
      errors.ours / errors.chafa, try shareOfOneMore(jpegs, subject),
      try shareOfOneMore(paths, subject),
    ]
  }

  private static func large(_ subject: Subject) throws -> [Double?] {
    [try share([write(largePhoto(), "large", subject)], subject)]
  }

  /// A JPEG of 12 megapixels.
  static func largePhoto() throws -> [UInt8] {
    let size = PixelSize(width: 4_000, height: 3_000)
    let pixels = (0..<size.pixelCount).flatMap { index in
      let (column, row) = (index % size.width, index / size.width)
      let grain = UInt8(truncatingIfNeeded: (column &* 31 ^ row &* 17) & 31)
      return [UInt8(column / 16 % 224) + grain, UInt8(row / 12 % 224) + grain, grain &* 4, 255]
    }
    return try PictureEncoder.jpeg(Bitmap(size: size, pixels: pixels), quality: 85)
  }

  /// Our time for another picture over chafa's, each from its fastest runs.
  private static func shareOfOneMore(_ paths: [String], _ subject: Subject) throws -> Double? {
    var fastest = [Double](repeating: .infinity, count: 4)
    for _ in 0..<5 {
      for (index, command) in [ours(subject), chafa].enumerated() {
        fastest[index * 2] = min(fastest[index * 2], try time(command, paths, subject))
        fastest[index * 2 + 1] = min(fastest[index * 2 + 1], try time(command, [paths[0]], subject))
      }
    }
    return (fastest[0] - fastest[1]) / (fastest[2] - fastest[3])
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
    "chafa", "--format", "symbols", "--symbols", "block+sextant", "--colors", "full", "--stretch",
    "--size", "\(columns)x\(rows)",
  ]

  /// The program beside the market's.
  private static func ours(_ subject: Subject) -> [String] {
    let folder = subject.command[0].split(separator: "/", omittingEmptySubsequences: false)
      .dropLast().joined(separator: "/")
    return [folder + "/BlockRenderBench", "\(columns)", "\(rows)", "sextant", "direct"]
  }

  static func write(
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
