import Expectations
import MarketAPI
import Testing

struct EntityTagTests {
  @Test func `contents that differ have different digests`() {
    func digest(_ parts: [UInt8]...) -> UInt64 {
      var digest = ContentDigest()
      for part in parts { digest.add(part) }
      return digest.value
    }
    let text = Array("0123456789abcdef01234".utf8)
    var contents = (0...text.count).map { digest(Array(text.prefix($0))) }
    contents += (1...9).map { digest([UInt8](repeating: 0, count: $0)) }
    for place in text.indices {
      for bit in 0..<8 {
        var other = text
        other[place] ^= 1 << bit
        contents.append(digest(other))
      }
    }
    // Changes whose differences would meet in the upper half of a word.
    var other = text
    for place in [7, 11, 15] { other[place] ^= 0x40 }
    contents.append(digest(other))

    expect(Set(contents).count, contents.count)
    expect(digest(text), digest(text))
  }

  @Test(arguments: ["\"41\"", "W/\"41\"", "41", " \"41\" "])
  func `a tag is read in every spelling`(text: String) {
    expect(EntityTag(parsing: text), EntityTag(value: "41"))
  }

  @Test(arguments: ["", "\"\"", "W/\"\"", " "])
  func `an empty tag is none`(text: String) {
    expect(EntityTag(parsing: text), nil)
  }

  @Test func `what may not stand in a header is dropped`() {
    expect(EntityTag(value: "a\"\r\nX: y한").text, "\"aX:y\"")
  }

  @Test(arguments: [
    ("\"41\"", true), ("W/\"41\"", true), ("\"1\", \"41\"", true), ("*", true), ("\"4\"", false),
    ("", false),
  ])
  func `a list of tags names it or not`(header: String, isNamed: Bool) {
    expect(EntityTag(value: "41").isNamed(in: header), isNamed)
  }

  @Test func `a client that has the answer gets none`() {
    let response = HTTPResponse(.ok, headers: ["ETag": "\"41\""], body: [1, 2, 3])
    let known = HTTPRequest(.get, "/", headers: ["If-None-Match": "W/\"41\""])
    let other = HTTPRequest(.get, "/", headers: ["If-None-Match": "\"40\""])
    let post = HTTPRequest(.post, "/", headers: ["If-None-Match": "\"41\""])

    expect(
      response.revalidated(for: known), HTTPResponse(.notModified, headers: ["ETag": "\"41\""]))
    expect(response.revalidated(for: other), response)
    expect(response.revalidated(for: post), response)
  }
}
