import Expectations
import MarketClient
import MarketModel
import Testing

struct NetworkZoneTests {
  @Test(
    arguments: [
      ([93, 184, 215, 14], .open), ([127, 0, 0, 1], .loopback), ([127, 255, 1, 2], .loopback),
      ([10, 1, 2, 3], .local), ([172, 16, 0, 1], .local), ([172, 32, 0, 1], .open),
      ([192, 168, 0, 1], .local), ([100, 64, 0, 1], .local), ([169, 254, 169, 254], .link),
      ([0, 0, 0, 0], .reserved), ([224, 0, 0, 1], .reserved), ([255, 255, 255, 255], .reserved),
    ] as [([UInt8], NetworkZone)])
  func `an IPv4 address belongs to one zone`(_ bytes: [UInt8], _ zone: NetworkZone) {
    expect(NetworkZone(bytes), zone)
    expect(NetworkZone([UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + bytes), zone)
    expect(NetworkZone([0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0] + bytes), zone)
  }

  @Test(
    arguments: [
      ([0x26, 0x06], .open), ([0xFE, 0x80], .link), ([0xFC, 0x00], .local), ([0xFD, 0x12], .local),
      ([0xFF, 0x02], .reserved), ([0x00, 0x00], .reserved),
    ] as [([UInt8], NetworkZone)])
  func `an IPv6 address belongs to one zone`(_ start: [UInt8], _ zone: NetworkZone) {
    expect(NetworkZone(start + [UInt8](repeating: 0, count: 14)), zone)
  }

  @Test func `the IPv6 loopback address is this machine`() {
    expect(NetworkZone([UInt8](repeating: 0, count: 15) + [1]), .loopback)
  }
}
