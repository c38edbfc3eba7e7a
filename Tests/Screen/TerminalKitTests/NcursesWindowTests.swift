import Glibc
import Testing

@testable import TerminalKit

@Suite struct NcursesWindowTests {
  @Test func `opening a window moves no variable under threads that look one up`() throws {
    let table = environ
    let first = environ[0]

    let window = NcursesWindow(
      .palette, size: CellSize(columns: 80, rows: 24), refusesColor: false)

    #expect(window != nil)
    #expect(environ == table)
    #expect(environ[0] == first)
  }
}
