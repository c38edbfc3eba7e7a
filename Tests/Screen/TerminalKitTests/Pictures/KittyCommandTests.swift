import Expectations
import SafeTextKit
import Testing

@testable import TerminalKit

struct KittyCommandTests {
  private static func file(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
  }

  @Test(arguments: [1, 2, 3, 3_071, 3_072, 3_073, 100_000])
  func `a picture arrives as it was sent, quietly and in chunks`(count: Int) {
    let picture = KittyPicture(png: Self.file(count), width: 30, height: 20)
    var reader = KittyReader()

    reader.read(
      KittyCommand.send(picture.file, id: 77, size: CellSize(columns: 6, rows: 2), .direct)
        .flatMap(\.self))

    #expect(reader.mistakes.isEmpty)
    expect(reader.pictures[77]?.file, Self.file(count))
    expect(reader.pictures[77]?.control["c"], "6")
    expect(reader.pictures[77]?.control["r"], "2")
    expect(reader.pictures[77]?.control["U"], "1")
    expect(reader.pictures[77]?.control["f"], "100")
  }

  @Test func `tmux gets each command in a string of its own with its escapes doubled`() {
    let picture = KittyPicture(png: Self.file(5_000), width: 30, height: 20)
    let size = CellSize(columns: 6, rows: 2)
    let wrapped = String(
      decoding: KittyCommand.send(picture.file, id: 77, size: size, .tmux).flatMap(\.self),
      as: UTF8.self)

    let strings = wrapped.split(separator: "\u{1B}Ptmux;").map { string in
      #expect(string.hasSuffix("\u{1B}\u{1B}\\\u{1B}\\"))
      return string.dropLast(2).replacing("\u{1B}\u{1B}", with: "\u{1B}")
    }

    let plain = KittyCommand.send(picture.file, id: 77, size: size, .direct).flatMap(\.self)
    expect(strings.count, 2)
    expect(
      String(strings.joined()), String(decoding: plain, as: UTF8.self).replacing("q=2,", with: ""))
  }

  @Test func `placeholders number rows and columns by the published marks`() {
    func scalars(_ column: Int, _ row: Int) -> [UInt32] {
      let glyph = KittyPlaceholder.glyph(for: PicturePiece(serial: 5, column: column, row: row))
      return (0..<4).map { glyph.scalarValue(at: $0) }
    }

    expect(scalars(0, 0), [0x10EEEE, 0x305, 0x305, 0])
    expect(scalars(2, 1), [0x10EEEE, 0x30D, 0x30E, 0])
    // The 58th and the 256th of the list in kitty's source.
    expect(scalars(57, 255), [0x10EEEE, 0xA8E5, 0x613, 0])
    expect(Set(KittyPlaceholder.marks).count, KittyPlaceholder.marks.count)
    #expect(KittyPlaceholder.marks.count >= PicturePiece.maximumSide)
  }

  @Test func `foreign text never becomes a piece of a picture`() {
    var canvas = Canvas(size: CellSize(columns: 4, rows: 1))

    canvas.write("\u{10EEEE}\u{305}\u{305}", at: .zero)

    expect(canvas[.zero].glyph.piece, nil)
  }
}
