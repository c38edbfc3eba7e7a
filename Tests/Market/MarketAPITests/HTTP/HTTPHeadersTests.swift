import Expectations
import MarketAPI
import Testing

struct HTTPHeadersTests {
  @Test func `the case of a name does not matter`() {
    let headers: HTTPHeaders = ["Content-Type": "application/json"]

    expect(headers["content-type"], "application/json")
    expect(headers["CONTENT-TYPE"], "application/json")
    expect(headers["content"], nil)
  }

  @Test func `a name may have several values in order`() {
    var headers = HTTPHeaders()

    headers.add("one", for: "Link")
    headers.add("x", for: "Other")
    headers.add("two", for: "link")

    expect(headers.values(of: "LINK"), ["one", "two"])
    expect(headers["link"], "one")
  }

  @Test func `setting a value replaces all of the name`() {
    var headers: HTTPHeaders = ["A": "1", "B": "2", "a": "3"]

    headers["A"] = "4"

    expect(headers.values(of: "a"), ["4"])
    expect(headers.map(\.name), ["B", "A"])
  }

  @Test func `white space around a value is dropped`() {
    let headers: HTTPHeaders = ["Content-Type": " text/plain \t"]

    expect(headers["Content-Type"], "text/plain")
  }
}
