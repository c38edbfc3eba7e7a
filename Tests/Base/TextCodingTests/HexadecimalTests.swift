import Expectations
import TestSupport
import Testing
import TextCoding

struct HexadecimalTests {
  @Test func `every byte is two lower-case digits and comes back`() {
    let bytes = (0...255).map { UInt8($0) }

    let text = Hexadecimal.text(of: bytes)

    #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff"))
    #expect(Hexadecimal.text(of: bytes[16..<18]) == "1011" && Hexadecimal.text(of: []).isEmpty)
    expect(Hexadecimal.bytes(of: text), bytes)
    expect(Hexadecimal.bytes(of: text.uppercased()), bytes)
  }

  @Test(arguments: ["0", "0g", "+1", " 1", "가"])
  func `what is no pair of digits is refused`(text: String) {
    expect(Hexadecimal.bytes(of: text), nil)
  }
}
