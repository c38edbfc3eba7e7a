import Expectations
import MarketModel
import MarketStrings
import MarketViews
import SafeTextKit
import Testing

/// Sentences about questions and answers that came.
struct AlertTextTests {
  private func triggered(
    _ event: TriggeredAlert.Event, _ text: String, count: Int = 1
  ) -> TriggeredAlert {
    TriggeredAlert(
      market: .local, event: event, alertName: text, product: Product.ID(rawValue: 3),
      name: "Road bike", price: nil, count: count)
  }

  private func sentence(_ triggered: TriggeredAlert..., in language: Language = .english) -> String
  {
    AlertText.sentence(triggered, Strings(language)).string
  }

  @Test func `one question is told by its words, and a hundred by their number`() {
    let one = triggered(.asked(by: "Mina"), "Is it still there?")
    let many = triggered(.asked(by: "Mina"), "Is it still there?", count: 100)

    expect(sentence(one), "Mina asks about “Road bike”: Is it still there?")
    expect(sentence(one, in: .korean), "“Road bike”에 대한 Mina의 질문: Is it still there?")
    expect(sentence(many), "100 new questions; m shows them")
    expect(sentence(many, in: .korean), "새 질문이 100개 있습니다. m을 누르면 볼 수 있습니다")
    expect(sentence(triggered(.asked(by: nil), "Why?")), "guest asks about “Road bike”: Why?")
    expect(
      sentence(triggered(.asked(by: nil), "Why?"), in: .korean), "“Road bike”에 대한 손님의 질문: Why?")
  }

  @Test func `an offer is told with its question`() {
    var offer = triggered(.asked(by: "Mina"), "Is it still there?")
    offer.price = Money(hundredths: 170_000_00, currency: .krw)

    expect(sentence(offer), "Mina offers ₩170,000 for “Road bike”: Is it still there?")
    expect(sentence(offer, in: .korean), "“Road bike”에 Mina의 제안 ₩170,000: Is it still there?")
  }

  @Test func `an answer is told with its product, and with what else came`() {
    let answer = triggered(.answered, "Yes. 175,000 and it is yours.")

    expect(sentence(answer), "Answered: “Yes. 175,000 and it is yours.” – Road bike")
    expect(sentence(triggered(.answered, "Yes.", count: 30)), "30 new answers; T shows them")
    var reserving = answer
    reserving.isReserved = true
    expect(
      sentence(reserving),
      sentence(answer)
        + " (reserved; its details say how to reach the seller)")
    #expect(
      sentence(reserving, in: .korean).hasSuffix(" (예약 중. 판매자 연락처는 상품 화면에서 확인해 주세요)"))
    expect(
      sentence(triggered(.asked(by: nil), "Why?", count: 5), answer),
      "Answered: “Yes. 175,000 and it is yours.” – Road bike and 5 more")
  }

  @Test func `hostile words act on nothing`() {
    let text = sentence(triggered(.asked(by: "Mi\u{1B}[2Jna\u{202E}"), "Is\nit\u{7}?"))

    #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{202E}" })
  }
}
