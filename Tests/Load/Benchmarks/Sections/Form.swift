import TerminalTestSupport

extension Section {
  /// Typing in the form in which a product is registered.
  static var form: Section {
    Section(
      name: "keys in a form",
      benchmarks: [
        Benchmark(
          [
            Figure("key in 1,000 characters, median", .milliseconds, atMost: 1),
            Figure("key in 1,000 characters, p99", .milliseconds, atMost: 5),
            Figure("bytes a key", .bytes, atMost: 400),
          ], Market.Setting(store: .generated(10_000)), isCompared: false, measure: typing),
        Benchmark(
          [Figure("paste of a megabyte", .milliseconds, atMost: 200)],
          Market.Setting(store: .generated(10_000)), isCompared: false, measure: hugePaste),
        Benchmark(
          [
            Figure("photo of 12 megapixels, to its preview", .milliseconds, atMost: 150).pictured,
            Figure("slowest key meanwhile", .milliseconds, atMost: 5),
            Figure("the same photo, to what is sent", .milliseconds, atMost: 200),
          ],
          Market.Setting(store: .generated(60), arguments: ["--view", "list"]), isCompared: false,
          measure: photo),
      ])
  }

  /// A form whose description has the focus and is nearly full.
  private static func openForm(_ subject: Subject) throws -> Probe {
    let probe = try Probe(subject)
    try probe.prepare()
    _ = probe.burst(after: "n")
    probe.settle(.milliseconds(200))
    _ = probe.burst(after: "<BackTab><BackTab><BackTab><BackTab><BackTab>")
    return probe
  }

  private static func typing(_ subject: Subject) throws -> [Double?] {
    let probe = try openForm(subject)
    let text = String(repeating: "작년에 사서 탔습니다. ", count: 80).prefix(960)
    _ = probe.burst(after: KeyScript("<Paste:\(text)>"))
    // The draft follows within a moment, and is told in the top bar once.
    probe.settle(.milliseconds(800))
    let keys = (0..<30).compactMap { _ in probe.burst(after: "a") }
    let times = keys.map(\.milliseconds)
    return [times.median, times.quantile(0.99), keys.map { Double($0.byteCount) }.median]
  }

  private static func photo(_ subject: Subject) throws -> [Double?] {
    let path = try write(largePhoto(), "photo.jpg", subject)
    var previews: [Double] = []
    var files: [Double] = []
    var keys: [Double] = []
    for _ in 0..<5 {
      previews.append(
        try addingPhoto(path, subject).time(after: "<Enter>", untilOutputOf: previewBlocks))
      files.append(try addingPhoto(path, subject).time(after: "<Enter>", untilOutputOf: fileSize))
      let probe = try addingPhoto(path, subject)
      _ = probe.burst(after: "<Enter>")
      keys += (0..<10).compactMap { _ in probe.burst(after: "<Down>")?.milliseconds }
    }
    return [previews.median, keys.max(), files.median]
  }

  /// Of which the preview is made, and nothing else in a form.
  private static let previewBlocks = ["▀", "▄", "▌", "▐", "▘", "▝", "▖", "▗"]

  /// Ends what is said of a photo that is fit to be sent: how large the file was and is now.
  private static let fileSize = ["KB"]

  /// A form whose line for the paths of photos holds one.
  private static func addingPhoto(_ path: String, _ subject: Subject) throws -> Probe {
    let probe = try Probe(subject)
    try probe.prepare()
    _ = probe.burst(after: "n")
    probe.settle(.milliseconds(200))
    _ = probe.burst(after: "<Enter>")
    _ = probe.burst(after: KeyScript("<Paste:\(path)>"))
    probe.settle(.milliseconds(200))
    return probe
  }

  private static func hugePaste(_ subject: Subject) throws -> [Double?] {
    let probe = try openForm(subject)
    let text = String(repeating: "가나다라 ", count: 80_000)
    let burst = probe.burst(after: KeyScript("<Paste:\(text)>"), until: .silence(.milliseconds(80)))
    return [burst?.milliseconds]
  }
}
