import CommandKit
import CommandTestSupport
import Expectations
import MarketModel
import MarketServer
import MarketStrings
import SafeTextKit
import Testing

@testable import market_server

struct ServerCommandsTests {
  private func options(_ line: String) throws -> ServerOptions {
    try ServerCommands.table.parse(line.split(separator: " ").map(String.init)).values
  }

  @Test func `options are read as what they mean`() throws {
    let options = try options(
      "--listen [::1]:80 --startup-timeout 0 --drain-timeout=60 --api 2022 --quota 2G --rate 0 --trust-proxy"
    )

    expect(options.address, HostAndPort(host: "::1", port: 80))
    #expect(options.waitSeconds == 0 && options.drainSeconds == 60 && options.api == "2022")
    #expect(options.admission.storeBytes == 2 << 30 && options.trustsProxy)
    expect(options.admission.registrationsPerMinute, nil)
  }

  @Test func `the storage that pictures are redirected to is announced`() throws {
    let bucket = "--pictures s3://pictures/a?endpoint=https://storage.example:9000/path"

    try expect(options(bucket).announcedStorage, nil)
    try expect(
      options(bucket + " --picture-redirects").announcedStorage?.text,
      "https://storage.example:9000")
  }

  @Test(arguments: [
    ("--public-url https://market.example/m", "https://market.example/m"),
    ("--public-url http://market.example", nil), ("", nil),
    ("--public-url https://market.example --no-uploads", nil),
  ])
  func `pages for photos need an address with encryption, and can be turned off`(
    line: String, address: String?
  ) throws {
    try expect(options(line).uploadAddress?.text, address)
  }

  @Test(arguments: [
    ("--check", ServerOptions.Check.own), ("--check 127.0.0.1:1", .address("http://127.0.0.1:1")),
    ("--check=http://a --listen a:1", .address("http://a")), ("--check --drain-timeout 1", .own),
    ("", .none),
  ])
  func `a check is of an address or of where this one would listen`(
    line: String, check: ServerOptions.Check
  ) throws {
    try expect(options(line).check, check)
  }

  @Test(
    arguments: [
      ("--lisen a:1", .unknownOption("--lisen", meant: "--listen")),
      ("imprt a", .unknownCommand("imprt", meant: "import")),
      ("import a --listen a:1", .optionOfOthers("--listen", command: "market-server import")),
      ("--strict", .optionOfOthers("--strict", command: "market-server")),
      ("--store a --store-file b", .contradiction("--store", "--store-file")),
      ("--picture-redirects", .said(.redirectsWithoutBucket)),
      ("--picture-redirects --pictures folder", .said(.redirectsWithoutBucket)),
      ("--store host=db", .said(.databasePairs)),
      ("--store postgresql://a:b@c/d", .said(.databaseOpenPassword)),
      ("--store-file /none", .said(.databaseFileUnreadable, "No such file or directory")),
    ] as [(String, CommandLineError)])
  func `a mistake is told as the program's are`(line: String, mistake: CommandLineError) {
    #expect(throws: mistake) { try options(line) }
  }

  @Test func `the laws of tables hold`() {
    let laws = TableLaws(ServerCommands.table)

    #expect(laws.unexplained == [] && laws.misreadExamples == [])
    #expect(laws.hiddenOptions == [] && laws.hiddenValues == [] && laws.ambiguousOptions == [])
    expect(laws.wideLines, [])
  }
}
