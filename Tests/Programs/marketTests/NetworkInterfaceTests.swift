import Expectations
import MarketViewModels
import Testing

@testable import market

struct NetworkInterfaceTests {
  private static func interface(
    _ name: String, _ address: String, loopback isLoopback: Bool = false,
    device hasDevice: Bool = false,
    default isDefault: Bool = false, type: String = ""
  ) -> NetworkInterface {
    NetworkInterface(
      name: name, address: address, isLoopback: isLoopback, hasDevice: hasDevice,
      isDefault: isDefault, type: type)
  }

  @Test func `addresses that a telephone hardly reaches come last`() {
    let offered = NetworkInterface.offered([
      Self.interface("lo", "127.0.0.1", loopback: true),
      Self.interface("docker0", "172.17.0.1", type: "bridge"),
      Self.interface("wg0", "10.8.0.2", type: "wireguard"),
      Self.interface("tun0", "10.9.0.2", default: true),
      Self.interface("veth1", "10.1.0.1"),
      Self.interface("eth0", "192.0.2.7", device: true),
      Self.interface("wlan0", "192.0.2.9", device: true, default: true),
    ])

    expect(offered.map(\.interface).prefix(2), ["wlan0", "eth0"])
    expect(offered.map(\.isLikely), [true, true, false, false, false, false, false])
    expect(offered.last?.interface, "lo")
  }

  @Test func `IPv6 is offered only where an interface has nothing else`() {
    let offered = NetworkInterface.offered([
      Self.interface("eth0", "2001:db8::7", device: true),
      Self.interface("eth0", "192.0.2.7", device: true),
      Self.interface("eth1", "2001:db8::8", device: true),
    ])

    expect(offered.map(\.host), ["192.0.2.7", "2001:db8::8"])
  }

  @Test func `an ssh session listens where its client came in`() {
    let session = { (name: String) in
      name == "SSH_CONNECTION" ? "198.51.100.4 5555 192.0.2.7 22" : nil
    }

    expect(MachineSurroundings.caution(session), .ssh)
    expect(MachineSurroundings.sshHost(session), "192.0.2.7")
    #expect(MachineSurroundings.sshHost { _ in nil } == nil)
  }
}
