import Expectations
import MarketModel
import Testing

struct ClientNetworkTests {
  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1"), ("2001:db8:0:7::1", "2001:db8:0:7::/64"),
    ("2001:DB8:0:7:ffff:ffff:ffff:ffff", "2001:db8:0:7::/64"), ("::1", "0:0:0:0::/64"),
    ("fe80::1%eth0", "fe80:0:0:0::/64"), ("::ffff:192.0.2.1", "192.0.2.1"),
    ("::FFFF:c000:201", "192.0.2.1"), ("unknown", "unknown"), ("a:b", "a:b"), ("", ""),
  ])
  func `of IPv6 a network counts, of IPv4 an address`(address: String, network: String) {
    expect(ClientNetwork(of: address).text, network)
  }
}
