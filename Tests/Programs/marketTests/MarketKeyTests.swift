import Expectations
import Glibc
import MarketModel
import MarketViewModels
import Posix
import TestSupport
import Testing

@testable import market

/// Keys of markets, and the names of files that are made of them.
@MainActor @Suite struct MarketKeyTests {
  private static let letters = [
    "a", "A", "b", "-", "/", ".", "_", "~", "+", "%", "%2F", ":", " ", "\n", "é", "e\u{301}", "한",
    "글", "각", "\u{1100}\u{1161}\u{11A8}", "각\u{200D}", "👩‍🔧", "👩",
  ]

  private func key(_ path: String) -> MarketKey { MarketSource.key(of: .file(path)) }

  private func server(_ address: String) -> MarketKey {
    MarketSource.key(of: .server(address: address))
  }

  /// Whether two texts are the same byte by byte, as names of files are.
  private func isSame(_ one: String, _ other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }

  @Test(arguments: [
    ("/마켓/가구점.sqlite", "/마켓/문구점.sqlite"), ("/m/a/b", "/m/a-b"), ("/m/a.b", "/m/a b"),
    ("/m/한", "/m/\u{1112}\u{1161}\u{11AB}"), ("/m/%2F", "/m/%252F"),
  ])
  func `files of different names are different markets`(one: String, other: String) {
    #expect(key(one) != key(other))
    #expect(key(one).fileName != key(other).fileName)
  }

  @Test func `servers that differ in scheme, host, port or path are different markets`() {
    let addresses = [
      "http://shop:8080", "http://shop-8080", "https://shop:8080", "http://shop:808",
      "http://shop:8080/a", "http://shop:8080/a-b", "http://shop:8080/a/b",
    ]

    expect(Set(addresses.map { server($0) }).count, addresses.count)
    expect(Set(addresses.map { server($0).fileName }).count, addresses.count)
  }

  @Test func `one server is one market, however it is spelled`() {
    for spelling in ["http://shop:80/", "HTTP://Shop", "shop", "http://shop/?q=1"] {
      expect(server(spelling), server("http://shop"))
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `different places have different keys and names`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<500 {
      let letters = (0..<Int.random(in: 1...12, using: &random)).map { _ in
        Self.letters.randomElement(using: &random) ?? "a"
      }
      var others = letters
      others[Int.random(in: others.indices, using: &random)] =
        Self.letters.randomElement(using: &random) ?? "a"
      // Nothing is there, so that no path is another one's.
      let (one, other) = ("/none/x" + letters.joined(), "/none/x" + others.joined())

      let (first, second) = (key(one), key(other))

      expect(first == second, isSame(one, other), "\(one) \(other)")
      expect(first.fileName == second.fileName, isSame(one, other), "\(one) \(other)")
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `different servers have different keys and names`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    func text() -> String {
      let letters = Array("ab-.1")
      let host = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        letters.randomElement(using: &random) ?? "a"
      }
      let port = [":1", ":80", ":443", ""].randomElement(using: &random) ?? ""
      let path = ["", "/", "/a", "/a/", "/a-", "/%2F"].randomElement(using: &random) ?? ""
      return (Bool.random(using: &random) ? "http://" : "https://") + String(host) + port + path
    }
    for _ in 0..<500 {
      let (one, other) = (text(), text())
      let isSame =
        try #require(WebAddress(one)).withoutEnding == #require(WebAddress(other)).withoutEnding

      expect(server(one) == server(other), isSame, "\(one) \(other)")
      expect(server(one).fileName == server(other).fileName, isSame, "\(one) \(other)")
    }
  }

  @Test func `names of files fit with whatever stands before and behind them`() {
    for letter in Self.letters where letter != "/" {
      for count in [20, 60, 200, 1_000] {
        let (one, other) = (
          key("/m/" + String(repeating: letter, count: count)),
          key("/m/" + String(repeating: letter, count: count) + "b")
        )

        #expect(one.fileName.utf8.count <= 190 && one.fileName != other.fileName)
      }
    }
  }

  @Test func `a file is one market by all its paths, a link too`() throws {
    let folder = try TemporaryFolder()
    try FileContent(bytes: [1]).write(to: folder.path(of: "shop.sqlite"))
    try #require(symlink("shop.sqlite", folder.path(of: "link.sqlite")) == 0)

    let keys = ["shop.sqlite", "link.sqlite", "./shop.sqlite"].map {
      key(folder.path + "/" + $0)
    }

    expect(Set(keys).count, 1)
    #expect(key(folder.path(of: "new.sqlite")) != keys[0])
  }
}
