import Testing

@testable import market

@Suite struct InvocationTests {
  @Test func `no words browse the default market`() throws {
    #expect(try Invocation([], defaults: MarketOptions()) == .browse(MarketOptions()))
  }

  @Test func `a value stands behind its option or behind an equals sign`() throws {
    var expected = MarketOptions()
    expected.storePath = "/tmp/a"
    expected.theme = .light

    let invocation = try Invocation(
      ["--store", "/tmp/a", "--theme=light"], defaults: MarketOptions())

    #expect(invocation == .browse(expected))
  }

  @Test func `the command line wins over the settings`() throws {
    var defaults = MarketOptions()
    defaults.view = .list
    var expected = defaults
    expected.view = .grid

    #expect(try Invocation(["--view", "grid"], defaults: defaults) == .browse(expected))
  }

  @Test(
    arguments: [
      (["--colour"], .unknownOption("--colour")),
      (["--theme"], .missingValue("--theme auto|dark|light")),
      (["--page-size", "0"], .badValue(option: "--page-size", value: "0", expected: "1-1000")),
      (["generate"], .missingArgument("generate N")),
      (["buy"], .unexpectedArgument("buy")),
      (["sample", "more"], .unexpectedArgument("more")),
    ] as [([String], CommandLineError)])
  func `a mistake is named`(words: [String], mistake: CommandLineError) {
    #expect(throws: mistake) { try Invocation(words, defaults: MarketOptions()) }
  }

  @Test func `everything behind serve is for the server`() throws {
    let invocation = try Invocation(["serve", "--help"], defaults: MarketOptions())

    #expect(invocation == .serve(["--help"]))
  }
}
