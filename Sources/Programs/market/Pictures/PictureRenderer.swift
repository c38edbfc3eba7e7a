import MarketModel
import MarketViewModels
import MarketViews
import PictureKit
import Synchronization
import TerminalKit

/// Renderer of pictures for the terminal: reads the file, decodes it to the size of its cells, and
/// encodes it for the terminal, all off the main queue.
nonisolated final class PictureRenderer: Sendable {
  /// Maximum bytes of files of which several are in memory at once; larger ones are processed one at a
  /// time.
  private static let usualBytes = 1 << 20
  /// Maximum memory of one picture, including its file.
  private static let limits = DecodingLimits(memory: 44 << 20)

  private let source: any PictureSource
  private let log: EventLog
  private let context: PictureRenderingContext

  init(source: any PictureSource, context: PictureRenderingContext, log: EventLog) {
    self.source = source
    self.context = context
    self.log = log
  }

  func loader(for form: PictureForm) -> any PictureLoader {
    let loader = Loader(renderer: self, form: form)
    return log.isOn ? LoggedPictureLoader(loader: loader, log: log) : loader
  }

  private func load(
    _ want: PictureWant, _ form: PictureForm
  ) async throws(PictureError) -> any DrawablePicture {
    let bytes: [UInt8]
    do throws(PictureError) {
      bytes = try await source.bytes(of: want.picture, want.rendition, atMost: Self.usualBytes)
    } catch {
      guard error == .tooLarge else { throw error }
      return try await context.largeOnes.run { () async throws(PictureError) in
        let bytes = try await self.source.bytes(
          of: want.picture, want.rendition, atMost: Self.limits.fileBytes)
        return try await self.drawable(bytes, want, form)
      }
    }
    return try await drawable(bytes, want, form)
  }

  private func drawable(
    _ bytes: [UInt8], _ want: PictureWant, _ form: PictureForm
  ) async throws(PictureError) -> any DrawablePicture {
    guard let cell = form.pixelsPerCell else { return try describe(bytes) }
    let bitmap = try await context.decoder.decode(
      bytes, into: want.box, want.framing, within: Self.limits)
    let sheet = CellAlignedBitmap(bitmap, cell: cell, isFaded: want.isFaded)
    let original = try PictureHeader(bytes).size
    let content: TerminalPicture.Content
    switch form {
    case .blocks(let symbols, let colors, let ground):
      return PictureTile.cells(sheet.art(symbols, colors, ground: ground), of: original)
    case .kitty: content = .kitty(try sheet.kitty())
    case .sixel(let cell, let colors, let ground):
      content = .sixel(sheet.sixel(cell: cell, colors: colors, ground: ground))
    case .inline(_, let ground): content = .inline(try sheet.inline(ground: ground))
    case .none: return try describe(bytes)
    }
    return PictureTile.pixels(
      TerminalPicture(serial: context.nextSerial(), size: sheet.size, content: content),
      of: original)
  }

  private func describe(_ bytes: [UInt8]) throws(PictureError) -> PictureTile {
    let header = try PictureHeader(bytes)
    return .described(
      PictureDescription(format: header.format, size: header.size, fileBytes: bytes.count))
  }

  private struct Loader: PictureLoader {
    let renderer: PictureRenderer
    let form: PictureForm

    func load(_ want: PictureWant) async throws(PictureError) -> any DrawablePicture {
      try await renderer.load(want, form)
    }
  }
}

/// Context shared by the renderers of one terminal: the decoder, and the serial numbers by which the
/// terminal identifies pictures.
nonisolated final class PictureRenderingContext: Sendable {
  let decoder: PictureDecodingQueue
  fileprivate let largeOnes = AsyncLock()
  private let lastSerial = Atomic<UInt32>(0)

  init(decoder: PictureDecodingQueue) {
    self.decoder = decoder
  }

  fileprivate func nextSerial() -> UInt32 {
    lastSerial.wrappingAdd(1, ordering: .relaxed).newValue
  }
}

extension PictureWant {
  fileprivate nonisolated var framing: Framing {
    switch (part, fit) {
    case (let part?, _): .part(part)
    case (nil, .whole): .fit
    case (nil, .cover): .fill
    }
  }
}

extension PictureForm {
  fileprivate nonisolated var pixelsPerCell: CellPixels? {
    switch self {
    case .blocks(let symbols, _, _):
      CellPixels(width: symbols.pixelsPerCell.width, height: symbols.pixelsPerCell.height)
    case .kitty(let cell), .sixel(let cell, _, _), .inline(let cell, _): cell
    case .none: nil
    }
  }
}

/// Picture loader that logs failures.
private nonisolated struct LoggedPictureLoader: PictureLoader {
  let loader: any PictureLoader
  let log: EventLog

  func load(_ want: PictureWant) async throws(PictureError) -> any DrawablePicture {
    let asked = want.picture.number.map { "picture \($0)" } ?? "picture"
    return try await log.watching(asked, \.logged) { () throws(PictureError) in
      try await loader.load(want)
    }
  }
}

/// Form in which pictures are rendered.
nonisolated enum PictureForm: Hashable, Sendable {
  case blocks(PictureSymbols, PictureColors, ground: RGB)
  /// PNG file with transparency.
  case kitty(cell: CellPixels)
  case sixel(cell: CellPixels, colors: Int, ground: RGB)
  /// JPEG file.
  case inline(cell: CellPixels, ground: RGB)
  case none

  /// Maximum height of a cell in pixels; more would only cost time.
  private static let finest = 24
  /// Maximum height of a cell in pixels over ssh; the terminal scales the picture up.
  private static let coarsest = 12

  init(_ method: PictureMethod, _ facts: TerminalFacts) {
    let cell = facts.cell ?? .typical
    let isSlow = facts.environment.isOverSSH
    let scaled = cell.limited(toHeight: isSlow ? Self.coarsest : Self.finest)
    let ground = facts.background ?? .black
    self =
      switch method {
      case .blocks(let symbols):
        .blocks(
          symbols, PictureColors(facts.colorDepth, symbols),
          ground: facts.isGroundLight == true ? .white : .black)
      case .kitty: .kitty(cell: scaled)
      case .sixel:
        .sixel(cell: cell, colors: min(facts.sixelColors ?? 256, isSlow ? 64 : 128), ground: ground)
      case .inline: .inline(cell: scaled, ground: ground)
      case .none: .none
      }
  }

  var style: PictureStyle {
    switch self {
    case .blocks(let symbols, _, _): .cells(symbols)
    case .kitty(let cell), .sixel(let cell, _, _), .inline(let cell, _): .pixels(cell)
    case .none: .none
    }
  }
}

extension CellPixels {
  /// Cell of the same shape with at most `limit` pixels in height.
  nonisolated fileprivate func limited(toHeight limit: Int) -> CellPixels {
    guard height > limit else { return self }
    return CellPixels(width: max(1, width * limit / height), height: limit)
  }
}
