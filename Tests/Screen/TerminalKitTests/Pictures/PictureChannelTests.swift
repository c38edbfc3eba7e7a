import Expectations
import SafeTextKit
import TestSupport
import Testing

@testable import TerminalKit

struct PictureChannelTests {
  /// A picture whose file says which of its cells it shows.
  private static func picture(_ serial: UInt32, _ size: CellSize) -> TerminalPicture {
    @Sendable func file(_ part: CellRect) -> [UInt8] {
      [UInt8(serial), UInt8(part.minColumn), UInt8(part.minRow), UInt8(part.columns)]
        + [UInt8(part.rows)]
    }
    let content = InlinePicture(file: file(CellRect(size: size)), uncutBytes: 0, cut: file)
    return TerminalPicture(serial: serial, size: size, content: .inline(content))
  }

  private static let size = CellSize(columns: 60, rows: 20)
  private static let pictures = (1...12).map {
    picture(UInt32($0), CellSize(columns: 9 + $0 % 5, rows: 4 + $0 % 3))
  }

  /// A page of pictures and words at some scroll position, with something over it.
  private static func page(scrolled: Int, overlay: CellRect?, size: CellSize = size) -> Canvas {
    var canvas = Canvas(size: size)
    for (index, picture) in pictures.enumerated() {
      let position = CellPoint(column: index % 4 * 15, row: index / 4 * 8 - scrolled)
      canvas.draw(picture, at: position)
      canvas.write("price", at: position.moved(rows: picture.size.rows))
    }
    if let overlay {
      canvas.fill(overlay, style: .plain)
      canvas.frame(overlay, style: .plain)
    }
    canvas.fill(
      CellRect(column: 0, row: size.rows - 1, columns: size.columns, rows: 1), style: .plain)
    return canvas
  }

  private static func show(
    _ canvas: Canvas, since old: Canvas?, _ channel: inout PictureChannel,
    _ terminal: inout PaintedTerminal, budget: Int = .max
  ) { _ = shown(canvas, since: old, &channel, &terminal, budget: budget) }

  private static func shown(
    _ canvas: Canvas, since old: Canvas?, _ channel: inout PictureChannel,
    _ terminal: inout PaintedTerminal, budget: Int = .max
  ) -> [UInt8] {
    if old == nil { channel.reset(size: canvas.size) }
    channel.begin(canvas)
    for row in 0..<canvas.size.rows {
      guard let columns = canvas.changedColumns(ofRow: row, since: old) else { continue }
      channel.willWrite(row: row, columns: columns, of: canvas, since: old)
    }
    terminal.write(canvas, since: old, through: channel)
    let bytes = channel.end(canvas, budget: budget)
    terminal.paint(bytes)
    return bytes
  }

  @Test func `whatever scrolls, covers and is covered, no piece is lost or left behind`() {
    var channel = PictureChannel.paint(PaintChannel())
    var terminal = PaintedTerminal(size: Self.size)
    var old: Canvas?
    var random = SeededRandom(seed: 55)
    for _ in 0..<600 {
      let overlay = CellRect(
        column: .random(in: 0...50, using: &random), row: .random(in: 0...15, using: &random),
        columns: .random(in: 2...30, using: &random), rows: .random(in: 2...10, using: &random))
      let canvas = Self.page(
        scrolled: .random(in: 0...12, using: &random),
        overlay: Bool.random(using: &random) ? overlay : nil)
      if Int.random(in: 0...20, using: &random) == 0 {
        old = nil
        terminal = PaintedTerminal(size: Self.size)
      }

      Self.show(canvas, since: old, &channel, &terminal)

      #expect(terminal.wrongCells(canvas, through: channel).isEmpty)
      old = canvas
    }
  }

  @Test(arguments: [PictureErasure.text, .command])
  func `text over a picture erases it, by a command where it does not do so itself`(
    erasure: PictureErasure
  ) {
    var channel = PictureChannel.paint(PaintChannel(erasing: erasure))
    var canvas = Canvas(size: Self.size)
    canvas.draw(Self.pictures[0], at: .zero)
    var other = Canvas(size: Self.size)
    other.draw(Self.pictures[0], at: CellPoint(column: 20, row: 0))
    let deletion = "\u{1B}_Ga=d"
    func output(_ canvas: Canvas, since old: Canvas?) -> String {
      var terminal = PaintedTerminal(size: Self.size)
      return String(
        decoding: Self.shown(canvas, since: old, &channel, &terminal), as: UTF8.self)
    }

    let first = output(canvas, since: nil)
    let same = output(canvas, since: canvas)
    let moved = output(other, since: canvas)
    let empty = output(Canvas(size: Self.size), since: other)

    #expect(first.contains("1337;File") && !first.contains(deletion) && same.isEmpty)
    #expect(moved.contains("1337;File") && moved.contains(deletion) == (erasure == .command))
    #expect(empty.contains(deletion) == (erasure == .command) && !empty.contains("1337"))
    #expect(!channel.isIncomplete(Canvas(size: Self.size)))
  }

  @Test func `what a small budget leaves out comes with the next frames`() {
    var channel = PictureChannel.paint(PaintChannel())
    var terminal = PaintedTerminal(size: Self.size)
    let canvas = Self.page(scrolled: 0, overlay: nil)

    Self.show(canvas, since: nil, &channel, &terminal, budget: 1)
    var frames = 1
    while channel.isIncomplete(canvas) {
      terminal.paint(channel.end(canvas, budget: 1))
      frames += 1
    }

    expect(frames, Self.pictures.count)
    #expect(terminal.wrongCells(canvas, through: channel).isEmpty)
  }

  @Test func `on a slow line small pictures come first, in pieces, and then fine ones`() {
    let fine = [UInt8](repeating: 7, count: 20_000)
    let pictures = (1...3).map { serial in
      TerminalPicture(
        serial: UInt32(serial), size: CellSize(columns: 4, rows: 2),
        content: .kitty(KittyPicture(png: fine, width: 8, height: 8, draft: [UInt8(serial)])))
    }
    var canvas = Canvas(size: Self.size)
    for (index, picture) in pictures.enumerated() {
      canvas.draw(picture, at: CellPoint(column: index * 5, row: 0))
    }
    var channel = PictureChannel.kitty(
      KittyChannel(wrapper: .direct, depth: .direct, process: 77))
    var reader = KittyReader()

    channel.begin(canvas)
    reader.read(channel.end(canvas, budget: 400, isSlow: true))
    let drafts = reader.pictures.values.map(\.file).sorted { $0[0] < $1[0] }
    let whileWaiting = channel.end(canvas, budget: 0, isSlow: true)
    var largest = 0
    while channel.isIncomplete(canvas) {
      let bytes = channel.end(canvas, budget: 4_000, isSlow: true)
      largest = max(largest, bytes.count)
      reader.read(bytes)
    }

    #expect(drafts == [[1], [2], [3]] && whileWaiting.isEmpty)
    #expect(reader.pictures.count == 3 && reader.pictures.values.allSatisfy { $0.file == fine })
    #expect(largest < 9_000)
    #expect(reader.mistakes.isEmpty)
  }

  @Test func `through tmux a picture is sent again until the terminal has confirmed it`() throws {
    var canvas = Canvas(size: Self.size)
    canvas.draw(
      TerminalPicture(
        serial: 1, size: CellSize(columns: 4, rows: 2),
        content: .kitty(KittyPicture(png: [7], width: 8, height: 8))), at: .zero)
    var channel = PictureChannel.kitty(KittyChannel(wrapper: .tmux, depth: .direct, process: 77))

    channel.begin(canvas)
    let first = channel.end(canvas, budget: 1_000)
    let control = try #require(
      String(decoding: first, as: UTF8.self).firstMatch(of: /[,G](i=[0-9]+),/))
    channel.didReceive("\(control.1);EINVAL", at: .now)
    let second = channel.end(canvas, budget: 1_000)
    channel.loseUnconfirmed(after: .seconds(2), at: .now + .seconds(5))
    let third = channel.end(canvas, budget: 1_000)
    channel.didReceive("\(control.1);OK", at: .now)
    channel.loseUnconfirmed(after: .seconds(2), at: .now + .seconds(50))

    #expect(first == second && first == third)
    #expect(channel.end(canvas, budget: 1_000).isEmpty && !channel.isWaiting)
  }

  @Test func `a picture that is on its way when the terminal is given back is ended`() {
    let picture = TerminalPicture(
      serial: 1, size: CellSize(columns: 4, rows: 2),
      content: .kitty(
        KittyPicture(png: [UInt8](repeating: 7, count: 20_000), width: 8, height: 8)))
    var canvas = Canvas(size: Self.size)
    canvas.draw(picture, at: .zero)
    var channel = PictureChannel.kitty(
      KittyChannel(wrapper: .direct, depth: .direct, process: 77))

    channel.begin(canvas)
    let beginning = String(decoding: channel.end(canvas, budget: 1), as: UTF8.self)
    let ending = String(decoding: channel.clear(), as: UTF8.self)

    #expect(beginning.contains("m=1") && !beginning.contains("m=0"))
    #expect(ending.contains("m=0") && ending.contains("a=d"))
    let nothing = channel.end(Canvas(size: Self.size), budget: 100)
    #expect(nothing.isEmpty)
  }

  @Test func `sixels come as drafts on a slow line, and part by part as fine pictures`() {
    let cell = CellPixels(width: 6, height: 12)
    let size = CellSize(columns: 30, rows: 12)
    var random = SeededRandom(seed: 34)
    let pixels = (0..<180 * 144 * 4).map { _ in UInt8.random(in: 0...255, using: &random) }
    let sixel = SixelPicture(pixels: pixels, size: size, cell: cell, colors: 32)
    let picture = TerminalPicture(serial: 1, size: size, content: .sixel(sixel))
    var canvas = Canvas(size: Self.size)
    canvas.draw(picture, at: .zero)
    var channel = PictureChannel.paint(PaintChannel())
    channel.reset(size: Self.size)

    var first = 0
    var frames: [Int] = []
    while channel.isIncomplete(canvas), frames.count < 1_000 {
      frames.append(channel.end(canvas, budget: 6_000, isSlow: true).count)
      if frames.reduce(0, +) < sixel.wholeByteCount / 2 { first += 1 }
    }

    #expect(!channel.isIncomplete(canvas))
    #expect(first > 1 && frames.allSatisfy { $0 < 20_000 })
    #expect(frames.reduce(0, +) < sixel.wholeByteCount * 2)
  }

  @Test func `where bands are whole, a picture that is painted part by part has no gaps`() {
    let cell = CellPixels(width: 6, height: 17)
    let size = CellSize(columns: 30, rows: 12)
    var random = SeededRandom(seed: 34)
    let pixels = (0..<180 * 204 * 4).map { _ in UInt8.random(in: 0...255, using: &random) }
    let sixel = SixelPicture(pixels: pixels, size: size, cell: cell, colors: 64)
    var canvas = Canvas(size: CellSize(columns: 40, rows: 20))
    canvas.draw(TerminalPicture(serial: 1, size: size, content: .sixel(sixel)), at: .zero)
    var channel = PictureChannel.paint(PaintChannel(erasing: .command))
    channel.reset(size: canvas.size)

    var painted: [Range<Int>] = []
    while channel.isIncomplete(canvas), painted.count < 100 {
      let text = String(decoding: channel.end(canvas, budget: 6_000), as: UTF8.self)
      guard let place = text.firstMatch(of: /\[(\d+);1H.*?"1;1;180;(\d+)/),
        let row = Int(place.1), let height = Int(place.2)
      else { break }
      painted.append((row - 1) * cell.height..<(row - 1) * cell.height + height)
    }

    #expect(painted.count > 2 && !channel.isIncomplete(canvas))
    for (upper, lower) in zip(painted, painted.dropFirst()) {
      #expect(upper.upperBound >= lower.lowerBound && upper.count % 6 == 0)
    }
  }

  @Test func `only the picture that a menu covered is painted again`() {
    var channel = PictureChannel.paint(PaintChannel())
    var terminal = PaintedTerminal(size: Self.size)
    let plain = Self.page(scrolled: 0, overlay: nil)
    let covered = Self.page(
      scrolled: 0, overlay: CellRect(column: 2, row: 1, columns: 4, rows: 2))
    Self.show(plain, since: nil, &channel, &terminal)
    Self.show(covered, since: plain, &channel, &terminal)
    let before = terminal.paintedCells

    Self.show(plain, since: covered, &channel, &terminal)

    #expect(terminal.wrongCells(plain, through: channel).isEmpty)
    let first = Self.pictures[0].size
    // From the first row that was covered.
    expect(terminal.paintedCells - before, first.count - first.columns)
  }

  @Test func `kitty's pictures are sent once, whatever scrolls`() {
    let picture = TerminalPicture(
      serial: 1, size: CellSize(columns: 4, rows: 2),
      content: .kitty(KittyPicture(png: [1, 2, 3], width: 8, height: 8)))
    var channel = PictureChannel.kitty(
      KittyChannel(wrapper: .direct, depth: .direct, process: 77))
    var reader = KittyReader()
    var sent = 0
    for row in [0, 1, 2, 1] {
      var canvas = Canvas(size: Self.size)
      canvas.draw(picture, at: CellPoint(column: 0, row: row))

      channel.begin(canvas)
      let bytes = channel.end(canvas, budget: .max)

      reader.read(bytes)
      if !bytes.isEmpty { sent += 1 }
    }

    expect(sent, 1)
    expect(reader.pictures.count, 1)
    let cell = channel.cell(
      for: Cell(Glyph(PicturePiece(serial: 1, column: 3, row: 1)), style: .plain))
    expect(cell.style.foreground.rgb?.hex, reader.pictures.keys.first)
    reader.read(channel.clear())
    #expect(reader.pictures.isEmpty)
    #expect(reader.mistakes.isEmpty)
  }

  /// A picture whose file tells its serial, and which takes a megabyte of the terminal's memory.
  private static func kittyPicture(_ serial: UInt32) -> TerminalPicture {
    TerminalPicture(
      serial: serial, size: CellSize(columns: 9, rows: 4),
      content: .kitty(KittyPicture(png: file(of: serial), width: 512, height: 512)))
  }

  private static func file(of serial: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: serial >> ($0 * 8)) }
  }

  @Test(arguments: [ColorDepth.direct, .palette256])
  func `after 5,000 pictures each placeholder still names its own, within 64 MB`(
    depth: ColorDepth
  ) {
    var channel = PictureChannel.kitty(
      KittyChannel(wrapper: .direct, depth: depth, process: 77))
    var reader = KittyReader()
    var wrong = 0
    var most = 0
    var random = SeededRandom(seed: 89)
    for page in 0..<834 {
      var canvas = Canvas(size: Self.size)
      // Now and then back to pages that may still be there, or may not.
      let shown = page.isMultiple(of: 5) ? Int.random(in: 0...page, using: &random) : page
      let serials = (0..<6).map { UInt32(shown * 6 + $0 + 1) }
      for (index, serial) in serials.enumerated() {
        canvas.draw(
          Self.kittyPicture(serial),
          at: CellPoint(column: index * 9, row: .random(in: -2...16, using: &random)))
      }

      channel.begin(canvas)
      reader.read(channel.end(canvas, budget: page.isMultiple(of: 3) ? 1 : .max))
      while channel.isIncomplete(canvas) { reader.read(channel.end(canvas, budget: 1)) }

      wrong += Self.misnamed(canvas, channel, reader)
      most = max(most, reader.pictures.count)
    }

    expect(wrong, 0)
    #expect(most <= 64)
    #expect(reader.mistakes.isEmpty)
    reader.read(channel.clear())
    #expect(reader.pictures.isEmpty)
  }

  /// How many pieces of a frame do not name a picture in the terminal that is theirs.
  private static func misnamed(
    _ canvas: Canvas, _ channel: PictureChannel, _ reader: KittyReader
  ) -> Int {
    canvas.cells.count { cell in
      guard let piece = cell.glyph.piece else { return false }
      let color = channel.cell(for: cell).style.foreground.rgb
      let id = color.flatMap { rgb in
        reader.pictures.keys.first {
          $0 == rgb.hex || $0 <= 255 && TerminalKit.Palette.color(Int32($0)) == rgb
        }
      }
      return id.flatMap { reader.pictures[$0] }?.file != file(of: piece.serial)
    }
  }
}
