import Expectations
import MarketAPI
import MarketModel
import TestSupport
import Testing

/// Changes on the wire.
struct ChangeCodingTests {
  private static let changes: [MarketChange] = [
    .sample(12, .listed), .sample(12), .seller(Seller.ID(rawValue: 3)), .sample(12, .deleted),
  ]

  @Test func `events say what the API promises`() {
    let batch = ChangeBatch(
      changes: [.sample(12, .listed), .seller(Seller.ID(rawValue: 3))],
      cursor: ChangeCursor(rawValue: "p2"))

    let text = String(decoding: ChangeCoding.events(of: batch), as: UTF8.self)

    expect(
      text,
      """
      event: product
      data: {"id":12,"kind":"listed","version":"v12","vendor_id":7}

      id: p2
      event: seller
      data: {"vendor_id":3}


      """)
  }

  @Test func `a reset without changes has the present place`() {
    let batch = ChangeBatch(changes: [], cursor: ChangeCursor(rawValue: "p9"), isReset: true)

    let text = String(decoding: ChangeCoding.events(of: batch), as: UTF8.self)

    expect(text, "id: p9\nevent: reset\ndata: {}\n\n")
  }

  @Test(arguments: [false, true])
  func `the answer to a poll is read as it was written`(isReset: Bool) {
    let batch = ChangeBatch(
      changes: Self.changes, cursor: ChangeCursor(rawValue: "p4"), isReset: isReset)

    expect(ChangeCoding.batch(in: ChangeCoding.answer(batch)), batch)
  }

  @Test func `a kind that is not known is passed over`() {
    expect(ChangeCoding.change(in: #"{"id":1,"kind":"moved","vendor_id":1}"#, of: .product), nil)
    expect(ChangeCoding.change(in: "nonsense", of: .product), nil)
    expect(ChangeCoding.batch(in: HTTPResponse(.ok, body: Array("{}".utf8))), nil)
  }

  @Test(arguments: [
    ("/api/changes", true), ("/api/changes?after=p1", true), ("/API/Changes/", true),
    ("//api//changes", true), ("/api/change%73", true), ("/api/products", false),
    ("/api/changes/1", false), ("/changes", false),
  ])
  func `changes have one path`(target: String, isOwn: Bool) {
    expect(ChangesRequest.owns(target), isOwn)
  }

  @Test(arguments: [
    (ChangesRequest(.stream, after: nil)),
    (ChangesRequest(.stream, after: ChangeCursor(rawValue: "p1:2,3"))),
    (ChangesRequest(.poll(waitSeconds: 25), after: ChangeCursor(rawValue: "p1"))),
    (ChangesRequest(.poll(waitSeconds: 0), after: nil)),
  ])
  func `a request is read as it was written`(request: ChangesRequest) throws {
    #expect(ChangesRequest.owns(request.message.target.text))
    try expect(ChangesRequest(reading: request.message), request)
  }

  @Test(arguments: [
    ("wait=26", "wait"), ("wait=-1", "wait"), ("wait=x", "wait"), ("after=%0A", "after"),
    ("after=" + String(repeating: "a", count: ChangeCursor.maxBytes + 1), "after"),
  ])
  func `what cannot be read is named`(query: String, part: String) {
    let request = HTTPRequest(.get, RequestTarget(parsing: "/api/changes?" + query))

    let error = #expect(throws: RequestProblem.self) { try ChangesRequest(reading: request) }

    guard case .malformed(part, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `the newest place counts, and events are sent only to who wants them`() throws {
    var request = HTTPRequest(
      .get, "/api/changes?after=p1",
      headers: ["Accept": "text/html, text/event-stream;q=0.5", "Last-Event-ID": "p2"])
    let both = try ChangesRequest(reading: request)
    request.headers["Accept"] = "text/event-stream;q=0, */*"
    let none = try ChangesRequest(reading: request)

    expect(both, ChangesRequest(.stream, after: ChangeCursor(rawValue: "p2")))
    expect(none.form, .poll(waitSeconds: 0))
  }
}
