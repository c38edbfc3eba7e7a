import Expectations
import MarketModel
import Testing

/// What a seller may say of how to be reached.
struct SellerContactTests {
  @Test(arguments: ["hana@example.com", "010-1234-5678", "서울 성동구, 평일 저녁 👋"])
  func `a line is a contact without the blanks around it`(_ line: String) {
    expect(SellerContact("  \(line)\n ")?.text, line)
  }

  @Test(arguments: ["", " \n", "a\nb", "a\u{1B}[31mb", "a\u{2028}b", "a\0b"])
  func `nothing, several lines and controls are none`(_ text: String) {
    expect(SellerContact(text), nil)
  }

  @Test func `two hundred characters are the most`() {
    #expect(SellerContact(String(repeating: "가", count: 200)) != nil)
    expect(SellerContact(String(repeating: "가", count: 201)), nil)
    expect(SellerContact("a" + String(repeating: "\u{0301}", count: 100_000)), nil)
  }

  @Test func `what is entered sets the contact, and nothing takes it away`() {
    let seller = Seller(id: Seller.ID(rawValue: 1), name: "Hana", contact: SellerContact("old"))
    let entered = ["new", " ", "a\nb"].map { SellerChange.Contact(entered: $0) }

    expect(SellerChange(contact: entered[0]).applied(to: seller).contact?.text, "new")
    expect(SellerChange(contact: entered[1]).applied(to: seller).contact, nil)
    expect(entered[2], nil)
    expect(SellerChange().applied(to: seller), seller)
  }
}
