import Expectations
import Testing
import TextCoding

struct PercentCodingTests {
  @Test func `everything but unreserved characters is escaped and comes back`() {
    let text = "a-Z_0.9~ /?#%+가"

    let encoded = PercentCoding.encode(text)

    expect(encoded, "a-Z_0.9~%20%2F%3F%23%25%2B%EA%B0%80")
    expect(PercentCoding.decode(encoded), text)
  }

  @Test func `a plus is a space in queries alone`() {
    expect(PercentCoding.decode("a+b"), "a+b")
    expect(PercentCoding.decode("a+b", plusIsSpace: true), "a b")
  }

  @Test(arguments: ["%", "%4", "%4g", "%zz", "a%", "100%!", "%+1", "% 1"])
  func `a broken escape stays as it is`(text: String) {
    expect(PercentCoding.decode(text), text)
  }
}
