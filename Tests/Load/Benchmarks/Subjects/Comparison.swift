import Glibc
import TerminalTestSupport

/// The programs that people know as fast, each with a load of its usual kind.
enum Comparison {
  /// Those that are installed.
  static func subjects(on workbench: Workbench) -> [Subject] {
    let makers: [(String, (Workbench) throws -> Subject)] = [
      ("less", less), ("tig", tig), ("mc", mc), ("htop", htop), ("newsboat", newsboat),
    ]
    return makers.filter { isInstalled($0.0) }.compactMap { name, make in
      do {
        return try make(workbench)
      } catch {
        StandardError.print("\(name): \(error)")
        return nil
      }
    }
  }

  private static func isInstalled(_ name: String) -> Bool {
    ["/usr/bin/", "/usr/local/bin/", "/bin/"].contains { access($0 + name, X_OK) == 0 }
  }

  private static func environment(_ workbench: Workbench) throws -> [String: String] {
    workbench.environment(home: try workbench.directory("others"))
  }

  /// A file of 200,000 lines.
  private static func less(_ workbench: Workbench) throws -> Subject {
    let file = try workbench.file("lines.txt") {
      (1...200_000).map { "\($0) the quick brown fox jumps over the lazy dog\n" }.joined()
    }
    return Subject(
      name: "less", command: ["less", file], environment: try environment(workbench),
      hasSelection: false)
  }

  /// A repository of 20,000 commits.
  private static func tig(_ workbench: Workbench) throws -> Subject {
    let environment = try environment(workbench)
    let script = try workbench.file("commits.txt") {
      (1...20_000).map { number in
        let date = 1_600_000_000 + number * 60
        return "commit refs/heads/main\ncommitter A <a@example.org> \(date) +0000\n"
          + "data <<E\nChange number \(number) of many\nE\n"
      }.joined()
    }
    let repository = workbench.path("repository")
    if access(repository, R_OK) != 0 {
      let make = "git init -q -b main $0 && git -C $0 fast-import --quiet < $1"
      try workbench.run(["sh", "-c", make, repository, script], environment: environment)
    }
    return Subject(
      name: "tig", command: ["tig", "-C", repository], environment: environment)
  }

  /// A directory of 2,000 files.
  private static func mc(_ workbench: Workbench) throws -> Subject {
    let directory = try workbench.directory("files")
    for number in 1...2_000 { _ = try workbench.file("files/file \(number).txt") { "" } }
    return Subject(
      name: "mc", command: ["mc", "-u", directory, directory],
      environment: try environment(workbench), down: "<Down>", opener: "\u{1b}[20~",
      quit: "\u{1b}[21~")
  }

  private static func htop(_ workbench: Workbench) throws -> Subject {
    Subject(
      name: "htop", command: ["htop"], environment: try environment(workbench), down: "<Down>",
      scrolls: false, opener: "\u{1b}OR")
  }

  /// A feed of 2,000 items.
  private static func newsboat(_ workbench: Workbench) throws -> Subject {
    let feed = try workbench.file("feed.xml") {
      let items = (1...2_000).map { number in
        "<item><title>News number \(number)</title><guid>\(number)</guid>"
          + "<pubDate>Mon, 02 Jan 2023 \(10 + number % 10):00:00 GMT</pubDate></item>"
      }
      return "<rss version=\"2.0\"><channel><title>Feed</title>\(items.joined())</channel></rss>"
    }
    let urls = try workbench.file("urls") { "file://\(feed)\n" }
    let configuration = try workbench.file("config") { "confirm-exit no\n" }
    let command = [
      "newsboat", "-u", urls, "-C", configuration, "-c", workbench.path("newsboat.db"),
    ]
    try workbench.run(command + ["-x", "reload"], environment: try environment(workbench))
    return Subject(
      name: "newsboat", command: command, environment: try environment(workbench),
      prepare: { probe in
        _ = probe.burst(after: "<Enter>")
        probe.settle(.milliseconds(300))
      }, opener: "/", quit: "qq")
  }
}
