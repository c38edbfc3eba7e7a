import Glibc
import TerminalTestSupport

/// The program that all this is about.
struct Market {
  /// How it is started for a benchmark.
  struct Setting {
    enum Store {
      /// The very first start: the program makes its default store.
      case none
      case generated(Int)
      case pictures
    }

    var store: Store
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
    let store = try path(of: setting.store).map { ["--store", $0] } ?? []
    return Subject(
      name: "market",
      command: [path, "--language", "en"] + store + setting.arguments,
      environment: workbench.environment(home: home),
      size: setting.size, firstScreenMarker: Array("₩".utf8), end: .frame,
      prepare: { probe in if setting.loadsAll { loadAll(probe) } },
      opener: "/")
  }

  private func path(of store: Setting.Store) throws -> String? {
    switch store {
    case .none: nil
    case .generated(let products): try generated(products)
    case .pictures: workbench.pictureMarket
    }
  }

  /// A store with so many generated products, made once and kept.
  private func generated(_ products: Int) throws -> String {
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
