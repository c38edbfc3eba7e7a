import Expectations
import MarketPages
import Testing

struct GuestAddressTests {
  private static let key = "SHA256:" + String(repeating: "aB3+/", count: 8) + "xyz"

  @Test(arguments: [
    "market.example", "market.example:2222", "192.0.2.7:22", "market.example,\(key)",
    "market.example:2222,\(key)",
  ])
  func `an address is read as it is written`(text: String) throws {
    try expect(#require(GuestAddress(text)).description, text)
  }

  @Test(arguments: [
    "", ":22", "market.example:", "market.example:0", "market.example:70000", "-oProxyCommand=x",
    "a b", "a;b", "a@b", "$(x)", "market.example,", "market.example,MD5:aa",
    "market.example,SHA256:",
    "market.example,SHA256:\(String(repeating: ";", count: 43))", "a/b", "a'b", "시장",
  ])
  func `what a shell or ssh could take for more is refused`(text: String) {
    expect(GuestAddress(text), nil)
  }
}
