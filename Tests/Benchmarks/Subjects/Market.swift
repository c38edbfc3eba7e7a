import Glibc
import TerminalTestSupport

/// The program that all this is about.
struct Market {
  /// How it is started for a benchmark.
  struct Setting {
    /// Products in the store; none for the very first start, without a store.
    var products: Int?
    var arguments: [String] = ["--view", "list", "--pictures", "none"]
    var size = TerminalSize(columns: 100, rows: 50)
    /// Whether the whole list is read before measuring.
    var loadsAll = false
  }

  let path: String
  let workbench: Workbench

  /// None if there is no such program.
  init?(path: String, workbench: Workbench) {
    guard access(path, X_OK) == 0 else { return nil }
    self.path = path
    self.workbench = workbench
  }

  func subject(_ setting: Setting) throws -> Subject {
    let home = try workbench.freshDirectory("home")
    let store = try setting.products.map { ["--store", try self.store(of: $0)] } ?? []
    return Subject(
      name: "market",
      command: [path, "--language", "en"] + store + setting.arguments,
      environment: workbench.environment(home: home),
      size: setting.size, firstScreenMarker: Array("₩".utf8), end: .frame,
      prepare: { probe in if setting.loadsAll { loadAll(probe) } },
      opener: "/")
  }

  /// A store with so many generated products, made once and kept.
  private func store(of products: Int) throws -> String {
    let path = workbench.path("market-\(products).db")
    if access(path, R_OK) != 0 {
      try workbench.run(
        [self.path, "generate", String(products), "--store", path + ".new"],
        environment: workbench.environment(home: workbench.path("home")))
      rename(path + ".new", path)
    }
    return path
  }

  /// Pages down until nothing moves any more, and goes back to the top.
  private func loadAll(_ probe: Probe) {
    var silentPages = 0
    while silentPages < 3 {
      let page = probe.burst(after: "<PgDn>", until: .silence(.milliseconds(8)))
      silentPages = page == nil ? silentPages + 1 : 0
    }
    _ = probe.burst(after: "g")
    probe.settle(.milliseconds(200))
  }
}
