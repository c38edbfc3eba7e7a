import Expectations
import Glibc
import HTTPTestSupport
import PostgresTestSupport
import TerminalTestSupport
import TestSupport
import Testing

/// What the documents tell people to type and to write into files.
@Suite(.ownThread) struct DocumentTests {
  private static let readmes = ["README.md", "README.ko.md"]
  /// Pages whose commands run one after the other, in their order.
  private static let sequences = readmes + ["Documentation/SCRIPTS.md"]
  /// Pages for those who run a server, whose blocks of the shell run chapter by chapter.
  private static let serverPages = [
    "Documentation/SERVING.md", "Documentation/API.md", "Documentation/OPERATIONS.md",
  ]
  private static let postgres = "Documentation/POSTGRES.md"
  private static let paths = readmes + serverPages + [postgres]
  private static let documents =
    paths + [
      "CHANGELOG.md", "Documentation/ARCHITECTURE.md", "Documentation/BENCHMARKS.md",
      ".github/CONTRIBUTING.md", "Documentation/DECISIONS.md", "Documentation/RECIPES.md",
      "Documentation/SCRIPTS.md", ".github/SECURITY.md", "Documentation/SSH.md",
      "Documentation/TERMINALS.md",
      ".github/pull_request_template.md", ".ci/packaging/README.md",
    ]
  private static let programs: Set = ["market", "market-server"]
  private static let languages: Set = [
    "sh", "json", "nginx", "caddy", "ini", "sql", "swift", "text",
  ]
  /// Options of createdb, which PostgreSQL's own run knows, of systemctl and of systemd-tmpfiles.
  private static let foreignOptions: Set = [
    "--owner", "--encoding", "--template", "--now", "--create",
    "--exclude-table-data", "--spec",
  ]

  @Test(arguments: paths)
  func `every block says its language, so that no command is passed over`(path: String) throws {
    let document = try Document(path)

    #expect(document.blocks.allSatisfy { Self.languages.contains($0.language) })
    #expect(document.blocks.contains { $0.language == "sh" })
  }

  @Test func `the Korean README has the commands, chapters and links of the English one`() throws {
    let readmes = try Self.readmes.map { try Document($0) }

    /// Commands without what is in quotes or behind a comment's sign, which people read.
    func shape(_ document: Document) -> [String] {
      document.blocks.map { block in
        block.text.replacing(/'[^']*'/, with: "'…'").replacing(/\/\/.*/, with: "//…")
      }
    }

    expect(shape(readmes[1]), shape(readmes[0]))
    expect(readmes[1].anchors.count, readmes[0].anchors.count)
    expect(
      Set(readmes[1].links).symmetricDifference(readmes[0].links), ["README.md", "README.ko.md"])
  }

  @Test func `every document is looked at`() throws {
    let find = [
      "find", ".", "-name", "*.md", "-not", "-path", "./.build/*", "-not", "-path",
      "./.github/ISSUE_TEMPLATE/*", "-not", "-path", "./Sources/*", "-not", "-path", "./Tests/*",
    ]

    let found = try PipedRun(find, environment: ["PATH": "/usr/bin:/bin"]).output
      .split(separator: "\n").map { String($0.dropFirst(2)) }

    expect(found.sorted(), Self.documents.sorted())
  }

  @Test func `no page is longer than 180 lines, and there are at most 40 decisions`() throws {
    let decisions = "Documentation/DECISIONS.md"
    func lines(_ path: String) throws -> [String] {
      String(decoding: try FileContent(of: path).bytes, as: UTF8.self)
        .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    let long = try Self.documents.filter { try $0 != decisions && lines($0).count > 180 }

    expect(long, [])
    #expect(try lines(decisions).count { $0.hasPrefix("### ") } <= 40)
  }

  @Test func `every command runs here, or has its reason not to`() throws {
    let shell = try DocumentedShell()
    var known: Set<String> = []

    for path in Self.documents {
      for command in try Document(path).scatteredCommands(of: DocumentExceptions.programs) {
        known.insert(command)
        guard DocumentExceptions.reason(for: command) == nil, !Self.isRun(command, in: path) else {
          continue
        }
        // A document that changed must not change the system that tries it.
        try #require(
          Self.programs.contains { command.hasPrefix("\($0) ") },
          "\(path): \(command) needs a reason in DocumentExceptions")
        let run = try shell.run(command)

        expect(
          run.exit, .exited(status: 0), "\(path): \(command)\n\(run.screen.joined(separator: "\n"))"
        )
      }
    }
    expect(DocumentExceptions.commands.subtracting(known), [])
  }

  @Test(arguments: zip(sequences, [10, 8, 17]))
  func `the commands of README and SCRIPTS do what they say, one after the other`(
    path: String, count: Int
  ) async throws {
    let server = try await TrialServer(.rows(20))
    let shell = try DocumentedShell()
    let commands = try Document(path).commands(beginningWith: Self.programs)
      .filter { !Self.hasPlaceholder($0) }

    for command in commands {
      let run = try shell.run(Self.onFreePorts(command, server))

      expect(run.exit, .exited(status: 0), "\(command)\n\(run.screen.joined(separator: "\n"))")
    }
    #expect(commands.count >= count)
  }

  @Test(arguments: zip(serverPages, [3, 1, 1]))
  func `the blocks of the shell do what they say, chapter by chapter`(
    path: String, count: Int
  ) async throws {
    let server = try await TrialServer(GeneratedMarket(products: []))
    let shell = try DocumentedShell()
    try await GeneratedMarket.rows(3).write(to: shell.path(of: "market.sqlite"))
    let blocks = try Document(path).blocks.filter { $0.language == "sh" }
    var chapters: [(heading: String, script: String)] = []
    for block in blocks {
      if chapters.last?.heading == block.heading {
        chapters[chapters.count - 1].script += "\n" + block.text
      } else {
        chapters.append((block.heading, block.text))
      }
    }

    for (heading, script) in chapters {
      let run = try shell.run(Self.onFreePorts(script, server))

      expect(run.exit, .exited(status: 0), "\(heading)\n\(run.screen.joined(separator: "\n"))")
    }
    #expect(chapters.count >= count)
  }

  @Test(.enabled(if: TestCluster.isPossible, "\(TestCluster.hint)"))
  func `the commands for PostgreSQL make a database that a server can use`() throws {
    let cluster = try TestCluster(superuser: "postgres")
    let shell = try DocumentedShell(variables: ["PGHOST": cluster.folder, "PGUSER": "postgres"])
    let block = try #require(
      try Document(Self.postgres).blocks.first { $0.language == "sh" })
    expect(block.heading, "Set up")
    let script = block.text.replacing("@db.example/", with: "@/")
      .replacing("market serve", with: "market serve --listen 127.0.0.1:0")

    let run = try shell.run(script)

    expect(run.exit, .exited(status: 0), "\(run.screen.joined(separator: "\n"))")
    #expect(run.screen.contains { $0.hasPrefix("listening on ") })
  }

  @Test(
    arguments: sequences + [
      "Documentation/SERVING.md", "Documentation/OPERATIONS.md", postgres, "Documentation/SSH.md",
      ".github/SECURITY.md", "Documentation/DECISIONS.md", ".github/pull_request_template.md",
      "CHANGELOG.md",
    ])
  func `every command that is named exists`(path: String) throws {
    let manual = try DocumentedShell().print("market man").replacing("\\-", with: "-")
    let commands = try Document(path).commands(beginningWith: ["market"])

    let names = commands.compactMap { $0.split(separator: " ").dropFirst().first }
      .filter { $0.first?.isLowercase == true }

    expect(names.filter { manual.firstRange(of: " \($0)") == nil }, [])
    let serves = ["README.md", "Documentation/SERVING.md"].contains(path)
    #expect(serves ? names.contains("serve") : !names.isEmpty)
  }

  @Test(arguments: documents)
  func `every link leads to a file and a heading that are there`(path: String) throws {
    let document = try Document(path)
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""

    for link in document.links {
      let parts = link.split(separator: "#", omittingEmptySubsequences: false)
      let target = parts[0].isEmpty ? path : folder + parts[0]

      try #require(access(target, R_OK) == 0, "\(link)")
      let anchor = parts.dropFirst().first.map(String.init)
      #expect(try anchor.map { try Document(target).anchors.contains($0) } ?? true, "\(link)")
    }
  }

  @Test(
    arguments: paths + ["Documentation/SCRIPTS.md", ".github/SECURITY.md", "Documentation/SSH.md"])
  func `every option that is named exists`(path: String) throws {
    let shell = try DocumentedShell()
    // Each page that a program has about its options; one that it has not says nothing.
    let pages = [
      "market man", "market serve --help", "market-server --help", "market-server man",
      "market guest --help",
    ]
    let known = try pages.map { page in try shell.print(page).replacing("\\-", with: "-") }
      .joined().matches(of: /--[a-z][a-z-]+/).map { String($0.output) }

    let options = try Document(path).options

    expect(options.subtracting(known).subtracting(Self.foreignOptions), [])
    #expect(options.count > 1)
  }

  @Test(
    arguments: readmes + [
      "Documentation/SERVING.md", postgres, "Documentation/BENCHMARKS.md",
      ".github/CONTRIBUTING.md",
      "Documentation/DECISIONS.md", "Documentation/RECIPES.md", ".github/SECURITY.md",
      "Documentation/SSH.md",
    ])
  func `every command of make that is named exists`(path: String) throws {
    let document = try Document(path)
    let commands =
      document.commands(beginningWith: ["make"])
      + document.scatteredCommands(of: DocumentExceptions.programs).filter(Self.isOfMake)

    // The name alone would build and run.
    for command in Set(commands) where command.contains(" ") {
      // What the targets do is the gate's business; here nothing is built.
      let run = try PipedRun(
        [
          "bash", "-c",
          command.replacing("sudo ", with: "").replacing("make ", with: "make -n "),
        ],
        environment: ["PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/nonexistent"])

      expect(run.exit, .exited(status: 0), "\(command): \(run.errors)")
    }
    #expect(!commands.isEmpty)
  }

  @Test(arguments: readmes)
  func `the README's settings have no mistake`(path: String) throws {
    let shell = try DocumentedShell()
    let block = try #require(try Document(path).blocks.first { $0.language == "json" })
    for name in [".config", ".config/market"] { mkdir(shell.path(of: name), 0o700) }
    try FileContent(bytes: Array(block.text.utf8))
      .write(to: shell.path(of: ".config/market/settings.json"))

    let report = try shell.run("market doctor --language en < /dev/null | cat").screen

    let line = try #require(report.first { $0.hasPrefix("settings") })
    #expect(line.contains("settings.json (") && !line.contains("absent"))
    #expect(!line.contains("mistake"))
  }

  @Test(
    .enabled(
      if: access("/usr/bin/systemd-analyze", X_OK) == 0,
      "systemd is not installed: apt install systemd"))
  func `systemd has nothing to say about the service, as it comes and with a database`() throws {
    let shell = try DocumentedShell()
    let unit = try FileContent(of: "Resources/systemd/openmarket-server.service").bytes
    let change = try #require(
      try Document("Documentation/SERVING.md").blocks.first { $0.language == "ini" })
    let program = try ChildProcess.path(of: "market-server")

    for text in ["", change.text] {
      let whole = (String(decoding: unit, as: UTF8.self) + text)
        .replacing("/usr/bin/market-server", with: program)
      try FileContent(bytes: Array(whole.utf8)).write(to: shell.path(of: "market.service"))
      let run = try PipedRun(
        ["/usr/bin/systemd-analyze", "--man=no", "verify", shell.path(of: "market.service")],
        environment: ["PATH": "/usr/bin:/bin"])

      expect(run.exit, .exited(status: 0), "\(run.errors)")
      #expect(!run.errors.contains("market.service"), "\(run.errors)")
    }
  }

  @Test(
    .enabled(
      if: access("/usr/sbin/nginx", X_OK) == 0, "nginx is not installed: apt install nginx-light"))
  func `nginx takes both configurations`() throws {
    let shell = try DocumentedShell()
    let folder = shell.path(of: "")
    let blocks = try ["Documentation/SERVING.md", "Documentation/OPERATIONS.md"].flatMap { path in
      try Document(path).blocks.filter { $0.language == "nginx" }.map(\.text)
    }
    let inside = try #require(blocks.first { $0.hasPrefix("client_max_body_size") })
    let log = try #require(blocks.first { $0.hasPrefix("map ") })
    let several = try #require(blocks.first { $0.hasPrefix("upstream ") })
    // The folders of the system belong to root.
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map { "\($0)_temp_path \(folder)\($0);" }.joined(separator: " ")
    let configuration = """
      pid \(folder)pid; error_log \(folder)errors;
      events { }
      http { \(temporary) \(log) \(several) server { listen 443 ssl; \(inside) } }

      """
    // Nothing listens in a test of a configuration; certificates would have to be there.
    try FileContent(
      bytes: Array(
        configuration.replacing("listen 443 ssl", with: "listen 127.0.0.1:4430")
          .replacing("/var/log/nginx/", with: folder).utf8)
    ).write(to: shell.path(of: "conf"))

    let run = try PipedRun(
      ["/usr/sbin/nginx", "-t", "-e", "stderr", "-p", folder, "-c", shell.path(of: "conf")],
      environment: [:])

    expect(blocks.count, 3)
    expect(run.exit, .exited(status: 0), "\(run.errors)")
  }

  /// Whether another test of this suite runs a command of a document: one of a sequence, one of make,
  /// or the name of a command alone.
  private static func isRun(_ command: String, in path: String) -> Bool {
    let words = command.split(separator: " ")
    return isOfMake(command) || words.count == 2 && words[0] == "market"
      || sequences.contains(path) && words[0] == "market"
  }

  private static func isOfMake(_ command: String) -> Bool {
    command.split(separator: " ").contains("make")
  }

  /// Whether a reader has to put something else in the place of a word: `FILE`, `postgresql://...`.
  private static func hasPlaceholder(_ command: String) -> Bool {
    command.contains("...") || command.contains("…")
      || command.contains(/\b[A-Z]{2,}\b/)
  }

  /// The command with a trial's server in the place of the documents' ones; a stream that has no end
  /// is left after a second, in the way that curl calls its status 28, and a new home watches nothing,
  /// which has the status 5.
  private static func onFreePorts(_ script: String, _ server: TrialServer) -> String {
    script.split(separator: "\n").map { line in
      if line == "market alerts" { return line + " || [ $? = 5 ]" }
      guard line.hasPrefix("market serve") else {
        let line = line.replacing("http://market.example", with: server.address)
          .replacing("http://127.0.0.1:8080", with: server.address)
        return line.contains("event-stream") ? line + " --max-time 1 || [ $? = 28 ]" : line
      }
      return line.replacing(/\ --listen [0-9.:]+/, with: "") + " --listen 127.0.0.1:0"
    }
    .joined(separator: "\n")
  }
}
