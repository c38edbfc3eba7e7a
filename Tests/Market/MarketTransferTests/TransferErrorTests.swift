import Expectations
import Glibc
import MarketStrings
import SafeTextKit
import Testing

@testable import MarketTransfer

struct TransferErrorTests {
  @Test(arguments: [
    (ENOSPC, "/a: The disk is full; free some space", "/a: 디스크가 가득 찼습니다. 공간을 비워 주세요"),
    (EDQUOT, "/a: The disk is full; free some space", "/a: 디스크가 가득 찼습니다. 공간을 비워 주세요"),
    (EACCES, "/a: Permission denied", "/a: Permission denied"),
  ])
  func `a full disk is told in the language, the rest as the system words it`(
    number: Int32, english: String, korean: String
  ) {
    errno = number
    let error = TransferError.system("/a")

    expect(error.text(Strings(.english)).string, english)
    expect(error.text(Strings(.korean)).string, korean)
  }
}
