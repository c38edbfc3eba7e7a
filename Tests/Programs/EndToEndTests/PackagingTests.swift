import Expectations
import Glibc
import TerminalTestSupport
import TestSupport
import Testing

/// What the programs become when they are installed or packed.
@Suite(.ownThread) struct PackagingTests {
  private static let path = ["PATH": "/usr/local/bin:/usr/bin:/bin"]

  @Test(arguments: ["market", "market-server"])
  func `a program is installed with manual pages in two languages and completion for three shells`(
    program: String
  ) throws {
    let run = try PipedRun(
      [".ci/packaging/install", "--list", "/", program], environment: Self.path)

    let files = Set(run.output.split(separator: "\n").map(String.init))
    expect(run.exit, .exited(status: 0), "\(run.errors)")
    #expect(
      files.isSuperset(of: [
        "bin/\(program)", "share/man/man1/\(program).1", "share/man/ko/man1/\(program).1",
        "share/bash-completion/completions/\(program)", "share/zsh/site-functions/_\(program)",
        "share/fish/vendor_completions.d/\(program).fish",
      ]))
  }

  @Test func `what programs read of the documents is packed as it is`() throws {
    let run = try PipedRun(
      [
        "bash", "-euc",
        """
        for program in market market-server; do
          .ci/packaging/install --list / "$program"
        done | grep ^share/doc/ | grep -v '\\.md$'
        sed -n 's/^\tdh_compress //p' .ci/packaging/debian/rules
        """,
      ], environment: Self.path)
    let lines = run.output.split(separator: "\n").map(String.init)
    let excluded = try #require(lines.last).split(separator: " ").map {
      String($0.dropFirst("--exclude=".count))
    }

    // debhelper packs files of documents with gzip, unless a part of their path is excluded.
    #expect(lines.count > 5)
    for file in lines.dropLast() {
      #expect(excluded.contains { file.contains($0) }, "\(file)")
    }
  }

  @Test func `only a copy that is stamped knows its commit`() throws {
    let folder = try TemporaryFolder()
    let built = try ChildProcess.path(of: "market-server")
    let facts =
      try PipedRun(
        ["bash", "-c", ". .ci/packaging/facts; echo \"$number $commit\""], environment: Self.path
      ).output.split(separator: "\n").first ?? ""
    let words = facts.split(separator: " ").map(String.init)

    let stamping = try PipedRun(
      [".ci/packaging/stamp", built, folder.path + "/stamped"], environment: Self.path)

    expect(stamping.exit, .exited(status: 0), "\(stamping.errors)")
    let number = try #require(words.first)
    let commit = words.dropFirst().first.map { " (\($0))" } ?? ""
    try expect(PipedRun([built, "--version"], environment: [:]).output, "OpenMarket \(number)\n")
    try expect(
      PipedRun([folder.path + "/stamped", "--version"], environment: [:]).output,
      "OpenMarket \(number)\(commit)\n")
  }

  @Test func `sources in somebody else's repository keep their own commit`() throws {
    let folder = try TemporaryFolder()
    let run = try PipedRun(
      [
        "bash", "-euc",
        """
        mkdir -p "$1/theirs/market/Resources" "$1/theirs/market/.ci"
        cp -r .ci/packaging "$1/theirs/market/.ci/"
        cp Resources/version.txt "$1/theirs/market/Resources/"
        echo 0123456789abcdef > "$1/theirs/market/.ci/packaging/commit.txt"
        cd "$1/theirs"
        git init -q .
        git -c user.name=They -c user.email=they@packages.invalid commit -q --allow-empty -m theirs
        cd market
        . .ci/packaging/facts
        echo "$commit"
        """, "sources", folder.path,
      ], environment: Self.path)

    expect(run.exit, .exited(status: 0), "\(run.errors)")
    expect(run.output, "0123456789ab\n")
  }

  @Test(arguments: [
    ([:], "OpenMarket contributors <openmarket@packages.invalid>"),
    (
      ["DEBFULLNAME": "Kim & Son", "DEBEMAIL": "kim@packages.invalid"],
      "Kim & Son <kim@packages.invalid>"
    ),
  ])
  func `the packages name who packs them as maintainer, or nobody`(
    names: [String: String], maintainer: String
  ) throws {
    let run = try PipedRun(
      ["bash", "-euc", ". .ci/packaging/facts; echo \"$maintainer\""],
      environment: Self.path.merging(names) { $1 })

    expect(run.output, maintainer + "\n", "\(run.errors)")
  }

  @Test(
    .enabled(
      if: access("/usr/bin/systemd-analyze", X_OK) == 0,
      "systemd is not installed: apt install systemd"))
  func `the server exposes at most 2 of 10, and the sshd of guests 2.3`() throws {
    let units = try PipedRun(
      ["bash", "-c", "ls Resources/systemd/*.service"], environment: Self.path
    ).output.split(separator: "\n").map(String.init)
    try #require(units.contains("Resources/systemd/openmarket-server.service"))

    for unit in units {
      let most = unit.contains("guests") ? 23 : 20
      let run = try PipedRun(
        [
          "systemd-analyze", "security", "--no-pager", "--offline=yes", "--threshold=\(most)", unit,
        ],
        environment: Self.path)

      expect(run.exit, .exited(status: 0), "\(run.output)")
    }
  }
}
