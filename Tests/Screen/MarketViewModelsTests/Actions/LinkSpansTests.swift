import Expectations
import MarketViewModels
import SafeTextKit
import Testing

/// Where links stand after a text was wrapped.
struct LinkSpansTests {
  @Test func `an address that is split stands in each of its lines`() {
    let text: SafeText = "한강 https://a.example/long/path 참고"

    let spans = LinkSpans.spans(in: ["two lines of it", text], wrappedTo: 12)

    let lines = text.wrapped(toColumns: 12)
    let parts = spans.map {
      lines[$0.line - 2].dropping(columns: $0.columns.lowerBound)
        .prefix(columns: $0.columns.count).string
    }
    expect(parts.joined(), "https://a.example/long/path")
    expect(Set(spans.map(\.link.address)), ["https://a.example/long/path"])
    #expect(spans.count == Set(spans.map(\.line)).count && spans.count > 1)
  }

  @Test func `a text without addresses has no links`() {
    #expect(LinkSpans.spans(in: ["nothing here", ""], wrappedTo: 5).isEmpty)
  }
}
