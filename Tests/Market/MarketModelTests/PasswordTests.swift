import Expectations
import MarketModel
import Testing

struct PasswordTests {
  @Test func `what was typed is lent as its bytes`() {
    let password = Password("한 글")

    expect(password.withBytes { Array($0) }, Array("한 글".utf8))
    expect(password.byteCount, 7)
  }

  @Test func `wiping one copy wipes them all`() {
    let password = Password("open sesame")
    let copy = password

    password.wipe()

    expect(copy.byteCount, 0)
    expect(copy.withBytes { Array($0) }, [])
  }

  @Test func `no way of printing tells one from another`() {
    func prints(_ password: Password) -> [String] {
      var dumped = ""
      dump(password, to: &dumped)
      return ["\(password)", String(reflecting: password), dumped]
    }

    expect(prints(Password("open sesame")), prints(Password("12345678901")))
    expect(prints(Password("open sesame")), prints(Password("short")))
  }
}
