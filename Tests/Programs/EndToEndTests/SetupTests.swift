import Expectations
import Glibc
import TerminalTestSupport
import TestSupport
import Testing

/// What `make` says on a machine that lacks something, before it does anything.
@Suite(.ownThread) struct SetupTests {
  /// A machine by what its programs answer.
  struct Machine: CustomTestStringConvertible {
    let testDescription: String
    /// Scripts of `sh` by the name of the program that they stand for.
    let programs: [String: String]
    let sentence: String
  }

  /// The script as it names itself to others.
  private static let script = (getcwd(nil, 0).map { String(cString: $0) } ?? "") + "/.ci/setup"
  private static let swift = "echo 'Swift version 6.2.1 (swift-6.2.1-RELEASE)'"
  private static let nothingInstalled = ["dpkg-query": "exit 1", "apt-get": "exit 100"]

  @Test(arguments: [
    Machine(
      testDescription: "no Swift", programs: nothingInstalled,
      sentence: "Swift 6.2 or newer is needed: install it as https://www.swift.org/install says"),
    Machine(
      testDescription: "a Swift that is too old",
      programs: ["swift": "echo 'Swift version 5.10.1 (swift-5.10.1-RELEASE)'"],
      sentence: "This is Swift 5.10.1; 6.2 or newer is needed"),
    Machine(
      testDescription: "a Swift that cannot start",
      programs: ["swift": "echo 'libncurses.so.6: cannot open shared object file'; exit 127"],
      sentence: "Swift cannot start (libncurses.so.6: cannot open shared object file)"),
    Machine(
      testDescription: "no apt", programs: ["swift": swift],
      sentence: "This is neither Debian nor Ubuntu. Install what corresponds to g++ "),
    Machine(
      testDescription: "no sudo",
      programs: ["swift": swift, "id": "echo 1000"].merging(nothingInstalled) { $1 },
      sentence: ". As root, run: \(script) install build"),
    Machine(
      testDescription: "a sudo that asks for a password",
      programs: ["swift": swift, "id": "echo 1000", "sudo": "exit 1"]
        .merging(nothingInstalled) { $1 },
      sentence: ". Run: sudo \(script) install build"),
  ])
  func `what is missing is one sentence with what to do, at once`(_ machine: Machine) throws {
    let folder = try TemporaryFolder()
    for (name, script) in machine.programs {
      try FileContent(bytes: Array("#!/bin/sh\n\(script)\n".utf8)).write(to: folder.path(of: name))
      chmod(folder.path(of: name), 0o755)
    }
    for name in Self.tools {
      symlink(name.hasPrefix("/") ? name : "/usr/bin/" + name, folder.path(of: name))
    }
    let start = ContinuousClock.now

    let setup = try ChildProcess(
      "/bin/sh",
      arguments: ["-c", "PATH='\(folder.path)' exec /bin/bash .ci/setup build 2>&1 < /dev/null"])
    var lines: [String] = []
    while let line = try setup.readLine() { lines.append(line) }

    try expect(setup.wait(), 1)
    expect(lines.count, 1)
    expect(lines.first?.contains(machine.sentence), true, "\(lines)")
    #expect(ContinuousClock.now - start < .seconds(2))
  }

  @Test func `root installs for somebody else without Swift, and knows when nothing is missing`()
    throws
  {
    let folder = try TemporaryFolder()
    let programs = [
      "dpkg-query": #"shift 2; for name; do echo "installed $name"; done"#, "apt-get": "exit 100",
    ]
    for (name, script) in programs {
      try FileContent(bytes: Array("#!/bin/sh\n\(script)\n".utf8)).write(to: folder.path(of: name))
      chmod(folder.path(of: name), 0o755)
    }
    for name in Self.tools { symlink("/usr/bin/" + name, folder.path(of: name)) }

    for (words, status) in [("install test", 0), ("install", 1), ("install x", 1)]
      as [(String, Int32)]
    {
      let setup = try ChildProcess(
        "/bin/sh",
        arguments: [
          "-c", "PATH='\(folder.path)' exec /bin/bash .ci/setup \(words) 2>&1 < /dev/null",
        ])
      while let line = try setup.readLine() { #expect(line.hasPrefix("usage: setup "), "\(line)") }
      try expect(setup.wait(), status)
    }
  }

  @Test func `what shows the program needs no server of the tests`() throws {
    let build = try Self.packages("build")
    let test = try Self.packages("test")

    #expect(build.contains("g++"))
    #expect(build.isDisjoint(with: test))
    #expect(test.isSuperset(of: ["nginx-light", "postgresql", "tmux", "xterm"]))
  }

  /// What the script itself needs of any system.
  private static let tools = [
    "cat", "comm", "dirname", "grep", "head", "mktemp", "paste", "rm", "sed", "sort",
  ]

  private static func packages(_ list: String) throws -> Set<String> {
    let bytes = try FileContent(of: "Resources/packages/\(list).txt").bytes
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    return Set(lines.filter { !$0.hasPrefix("#") }.map(String.init))
  }
}
