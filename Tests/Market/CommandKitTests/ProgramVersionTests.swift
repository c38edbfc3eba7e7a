import CommandKit
import Expectations
import Testing

struct ProgramVersionTests {
  private static let file = Array("1.2.3 2026-11-22\n".utf8)

  @Test func `a program that was packed says its commit, up to the first zero`() {
    let version = ProgramVersion(Self.file, stamp: Array("0a1b2c3d4e5f\0\0rest".utf8))

    expect(version.line, "OpenMarket 1.2.3 (0a1b2c3d4e5f)")
    expect(version.text, "OpenMarket 1.2.3")
    expect(version.day, "2026-11-22")
  }

  @Test func `a program that was only built says its number alone`() {
    let version = ProgramVersion(Self.file, stamp: [UInt8](repeating: 0, count: 64))

    expect(version.line, "OpenMarket 1.2.3")
    expect(version.commit, nil)
  }

  @Test func `this program has a number of three parts and a day`() {
    expect(ProgramVersion.own.number.split(separator: ".").compactMap { Int($0) }.count, 3)
    expect(ProgramVersion.own.day.split(separator: "-").map(\.count), [4, 2, 2])
  }
}
