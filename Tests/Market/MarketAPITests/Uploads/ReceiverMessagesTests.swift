import Expectations
import MarketAPI
import MarketModel
import Testing

struct ReceiverMessagesTests {
  private static let events: [ReceiverEvent] = [
    .opened(address: "HTTP://192.0.2.7:38211/U/ABC", port: 38_211),
    .opened(address: "HTTPS://MARKET.EXAMPLE/U/ABC", port: nil), .visited, .asked(device: 1),
    .progress(upload: 2, name: "바퀴 %\n.jpg", percent: 43),
    .photo(0, UploadedPhoto(name: "bike wheel.jpg", bytes: [10, 0, 255, 10])),
    .photo(1, UploadedPhoto(name: "", bytes: [])), .ended(upload: 2), .failed("no room left"),
  ]

  @Test func `events arrive as they were sent, also byte by byte`() {
    let bytes = Self.events.flatMap(\.message)
    var reader = ReceiverEventReader()
    var single = ReceiverEventReader()

    expect(reader.take(bytes), Self.events)
    expect(bytes.flatMap { single.take([$0]) }, Self.events)
  }

  @Test func `what is no event is skipped`() {
    var reader = ReceiverEventReader()

    let events = reader.take(Array("hello\nphoto x 3 a\nasked\n\nvisited\n".utf8))

    expect(events, [.visited])
  }

  @Test func `commands arrive as they were sent`() {
    let commands: [ReceiverCommand] = [
      .took(photo: 3, true), .took(photo: 4, false), .admit(device: 1, true),
      .admit(device: 2, false),
    ]

    expect(commands.map { ReceiverCommand(line: $0.line.dropLast()) }, commands)
    #expect(ReceiverCommand(line: "admit") == nil && ReceiverCommand(line: "drop 3") == nil)
  }

  @Test func `a token is 26 capitals and digits of base32, and no two are equal`() {
    let tokens = (0..<100).map { _ in UploadToken() }

    #expect(Set(tokens).count == 100)
    for token in tokens {
      let isBase32 = token.text.allSatisfy { "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".contains($0) }
      #expect(token.text.count == 26 && isBase32)
      #expect(UploadToken(path: token.path) == token)
      #expect(UploadToken(path: token.path.lowercased()) == token)
    }
    #expect(tokens[0].matches(tokens[0]) && !tokens[0].matches(tokens[1]))
  }

  @Test(arguments: ["/U/", "/U/ABC", "/V/\(UploadToken().text)", "/U/\(UploadToken().text)/", "/"])
  func `other paths have no token`(path: String) {
    #expect(UploadToken(path: path) == nil)
  }
}
