import Expectations
import MarketModel
import MarketViewModels
import MarketViews
import PictureKit
import Testing

import struct TestSupport.FileContent

@testable import TerminalKit
@testable import market

struct PictureRendererTests {
  private nonisolated static let cell = CellPixels(width: 10, height: 20)

  /// Answers large files alone, and knows how many were asked for at the same time.
  private actor LargeFiles: PictureSource {
    private let file: [UInt8]
    private var count = 0
    private(set) var most = 0

    init(_ file: [UInt8]) {
      self.file = file
    }

    func bytes(
      of picture: Picture, _ rendition: PictureRendition
    ) async throws(PictureError) -> [UInt8] { file }

    func bytes(
      of picture: Picture, _ rendition: PictureRendition, atMost limit: Int
    ) async throws(PictureError) -> [UInt8] {
      guard limit > 2 << 20 else { throw .tooLarge }
      count += 1
      most = max(most, count)
      for _ in 0..<100 { await Task.yield() }
      count -= 1
      return file
    }
  }

  private func photo() throws -> [UInt8] {
    try FileContent(of: "Tests/Fixtures/Pictures/baseline.jpg").bytes
  }

  private func want(_ number: Int) -> PictureWant {
    PictureWant(
      picture: Picture(original: "\(number)", thumbnail: "\(number)"), rendition: .original,
      box: PixelSize(width: 60, height: 60), fit: .whole)
  }

  /// What the terminal gets of a file.
  private func file(
    of bytes: [UInt8], _ form: PictureForm
  ) async throws -> [UInt8]? {
    let loader = PictureRenderer(
      source: LargeFiles(bytes), context: PictureRenderingContext(decoder: PictureDecodingQueue()),
      log: .off
    ).loader(for: form)
    guard case PictureTile.pixels(let picture, _) = try await loader.load(want(1)) else {
      return nil
    }
    return switch picture.content {
    case .kitty(let picture): picture.file
    case .inline(let picture): picture.file
    case .sixel: nil
    }
  }

  @Test(arguments: [
    PictureForm.kitty(cell: cell), .inline(cell: cell, ground: .black),
  ])
  func `what a terminal gets is encoded anew, without a stranger's bytes`(
    form: PictureForm
  ) async throws {
    let photo = try photo()
    let words = Array("\u{1B}]0;owned\u{7}".utf8)
    // A comment behind the first marker, and what stands behind the picture's end.
    let comment = [0xFF, 0xFE, 0, UInt8(words.count + 2)] + words
    let attack = photo[..<2] + comment + photo[2...] + words

    let shown = try await file(of: Array(attack), form)

    try await expect(file(of: photo, form), shown)
    expect(shown?.isEmpty, false)
  }

  @Test(arguments: [RGB.black, .white])
  func `a faded picture comes near the ground`(ground: RGB) async throws {
    let loader = PictureRenderer(
      source: LargeFiles(try photo()),
      context: PictureRenderingContext(decoder: PictureDecodingQueue()), log: .off
    ).loader(for: .blocks(.half, .direct, ground: ground))

    /// How far the first cell is from the ground, in all its channels.
    func distance(isFaded: Bool) async throws -> Int {
      let want = PictureWant(
        picture: Picture(original: "1", thumbnail: "1"), rendition: .thumbnail,
        box: PixelSize(width: 8, height: 8), fit: .cover, isFaded: isFaded)
      guard case PictureTile.cells(let art, _) = try await loader.load(want) else { return 0 }
      var canvas = Canvas(size: art.size)
      canvas.draw(art, at: .zero)
      guard let color = canvas[.zero].style.foreground.rgb else { return 0 }
      return [
        (color.red, ground.red), (color.green, ground.green), (color.blue, ground.blue),
      ].reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    }

    #expect(try await distance(isFaded: true) * 2 < distance(isFaded: false))
  }

  @Test func `of large files one is in memory at a time`() async throws {
    let files = LargeFiles(try photo())
    let loader = PictureRenderer(
      source: files, context: PictureRenderingContext(decoder: PictureDecodingQueue()), log: .off
    )
    .loader(for: .kitty(cell: Self.cell))

    try await withThrowingTaskGroup { group in
      for number in 1...8 {
        let want = want(number)
        group.addTask { _ = try await loader.load(want) }
      }
      try await group.waitForAll()
    }

    await expect(files.most, 1)
  }
}
