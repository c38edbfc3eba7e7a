import Expectations
import Testing

@Suite struct ExpectTests {
  @Test func `values that differ are an issue that shows both, at the line of the call`() {
    withKnownIssue {
      expect(1 + 1, 3, "sum")
    } matching: {
      $0.sourceLocation?.line == #line - 2
        && $0.comments.map(\.rawValue) == ["sum\nactual:   2\nexpected: 3"]
    }
    withKnownIssue {
      expect("a\u{1b}[1m", "a\n")
    } matching: {
      $0.comments.map(\.rawValue) == [#"actual:   "a\u{1B}[1m"\#nexpected: "a\n""#]
    }
  }

  @Test func `long values say where they begin to differ`() {
    let same = String(repeating: "a", count: 99)

    withKnownIssue {
      expect(same + "b", same + "c")
    } matching: {
      $0.comments.first?.rawValue.hasSuffix(
        #"\#ndiffers: …\#(same.prefix(20))b"\#nfrom:    …\#(same.prefix(20))c""#) == true
    }
  }

  @Test func `values may be waited for, and be missing`() async throws {
    func read(_ text: String) async throws -> Int? { Int(text) }

    try await expect(read("3"), 3)
    expect(try await read("x"), nil)
  }
}
