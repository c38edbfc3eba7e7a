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
      /// So many generated products in the default store, each of them kept and seen.
      case kept(Int)
      case pictures
      /// A server instead, and the folder of what was seen of it.
      case server(address: String, home: String)
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
    let (source, home) = try source(setting.store)
    return Subject(
      name: "market",
      command: [path, "--language", "en"] + source + setting.arguments,
      environment: workbench.environment(home: home),
      size: setting.size, firstScreenMarker: Array("₩".utf8), end: .frame,
      prepare: { probe in if setting.loadsAll { loadAll(probe) } },
      opener: "/")
  }

  /// Another program of the same build.
  func beside(_ program: String) -> String {
    String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) + "/" + program
  }

  /// Starts the server of the same build on a store.
  func server(on store: String) throws -> LocalServer {
    let port = try LocalPort.free()
    return try LocalServer(
      "market", port: port,
      [beside("market-server"), "--store", store, "--listen", "127.0.0.1:\(port)"])
  }

  /// The options that name what is opened, and the home folder.
  private func source(_ store: Setting.Store) throws -> ([String], home: String) {
    switch store {
    case .none: ([], try workbench.freshDirectory("home"))
    case .generated(let count):
      (["--store", try generated(count)], try workbench.freshDirectory("home"))
    case .kept(let count): ([], try FavoritesHome(market: self, products: count).path())
    case .pictures: (["--store", workbench.pictureMarket], try workbench.freshDirectory("home"))
    case .server(let address, let home): (["--server", address], home)
    }
  }

  /// A store with so many generated products, made once and kept.
  func generated(_ products: Int) throws -> String {
    let path = workbench.path("market-\(products).db")
    if access(path, R_OK) != 0 {
      let new = path + ".new"
      // A run that was cut short has left some, to which others would be added.
      for ending in ["", "-wal", "-shm"] { unlink(new + ending) }
      try workbench.run(
        [self.path, "generate", String(products), "--store", new],
        environment: workbench.environment(home: workbench.path("home")))
      rename(new, path)
    }
    return path
  }

  /// A file with so many generated products, of which the ending tells the form; made once and kept.
  func exported(_ products: Int, as ending: String) throws -> String {
    let path = workbench.path("products-\(products).\(ending)")
    if access(path, R_OK) != 0 {
      try workbench.run(
        [self.path, "export", path, "--store", try generated(products)],
        environment: workbench.environment(home: workbench.path("home")))
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
