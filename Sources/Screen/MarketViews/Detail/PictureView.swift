internal import MarketModel
import MarketStrings
package import MarketViewModels
internal import SafeTextKit
package import TerminalKit

extension PictureModel: ViewedLayer {
  package func view(in frame: Frame) -> PictureView { PictureView(model: self, frame: frame) }
}

/// View of one picture of the detail over the whole window, with dots below.
package struct PictureView: LayerView {
  package let model: PictureModel
  package let frame: Frame

  package static var screenName: Phrase? { .screenPhoto }
  package static let bindings = BindingTable<PictureView>(
    leaving + moving.grouped(.move) + turning + zooming + others, group: .view)

  /// Keys that leave the view; during the slide show they only stop it.
  private static let leaving: [Binding<PictureView>] = [
    SharedBindings.back(
      [.escape, .enter, "q", .backspace], footer: 10, offered: { _ in true },
      { view, _ in if !view.model.hasStopped { view.close() } })
  ]

  private static let turning: [Binding<PictureView>] = SharedBindings.turningPictures(
    previous: 20, next: 30, when: \.showsWhole)

  private static let others: [Binding<PictureView>] =
    SharedBindings.keepingPictures(save: 70, open: 80)
    + [SharedBindings.retry(["R", "r"], offered: \.hasFailed)]
    + SharedBindings.general() + [SharedBindings.quit()]

  /// Keys that move an enlarged picture.
  private static let moving: [Binding<PictureView>] = [
    Binding("left", [.left, "h"], .keyLeft, footer: 20, when: \.isEnlarged) {
      $0.move(columns: -1)
    }.grouped(.keyMovePicture),
    Binding("right", [.right, "l"], .keyRight, footer: 21, when: \.isEnlarged) {
      $0.move(columns: 1)
    }.grouped(.keyMovePicture),
    Binding("up", [.up, "k"], .keyUp, footer: 22, when: \.isEnlarged) {
      $0.move(rows: -1)
    }.grouped(.keyMovePicture),
    Binding("down", [.down, "j"], .keyDown, footer: 23, when: \.isEnlarged) {
      $0.move(rows: 1)
    }.grouped(.keyMovePicture),
  ]

  private static let zooming: [Binding<PictureView>] = [
    Binding("zoom-in", ["+", "="], .keyZoomIn, footer: 40, offered: \.canEnlarge) { view in
      if let around = view.surroundings { view.model.enlarge(around) }
    },
    Binding("zoom-out", ["-", "_"], .keyZoomOut, footer: 45, offered: \.isEnlarged) {
      $0.model.reduce()
    },
    Binding("fit-picture", ["0"], .keyWholePicture, footer: 50, offered: \.isEnlarged) {
      $0.model.showWhole()
    },
    Binding("play-pictures", ["p"], .keyPlay, footer: 60, offered: \.hasOthers) {
      $0.model.play()
    },
  ]

  package static var paletteDirections: Phrase? { .paletteInPicture }
  package var coversBody: Bool { true }
  package var followsLinks: Bool { true }

  package var title: WindowTitle? {
    model.detail.product.map { WindowTitle($0.name) }
  }

  private var isEnlarged: Bool { model.zoom.isEnlarged }
  private var showsWhole: Bool { !isEnlarged }
  private var hasOthers: Bool { model.detail.pictures.count > 1 }
  /// Whether the shown picture failed to load.
  private var hasFailed: Bool {
    guard let want = shown?.want, case .unavailable = frame.gallery.picture(for: want) else {
      return false
    }
    return true
  }
  private var canEnlarge: Bool { surroundings.map(model.zoom.canEnlarge) ?? false }

  private func move(columns: Int = 0, rows: Int = 0) {
    if let surroundings { model.move(columns: columns, rows: rows, surroundings) }
  }

  package func scroll(by notches: Int) -> Bool {
    model.stop()
    if isEnlarged {
      move(rows: notches)
    } else {
      notches > 0 ? model.showNextPicture() : model.showPreviousPicture()
    }
    return true
  }

  // MARK: Parts

  private static let rowsForDots = 6

  /// Areas of the picture, and of the row under it.
  private var parts: (picture: CellRect, dots: CellRect) {
    let halves = frame.body.splitBottom(frame.body.rows < Self.rowsForDots ? 0 : 1)
    return (halves.rest, halves.bottom)
  }

  private var dots: PictureDots {
    PictureDots(
      count: model.detail.pictures.count, shown: model.detail.pictureIndex,
      rect: parts.dots.inset(left: 1, right: 1))
  }

  /// Returns the box of a picture, or of a part of it; nil for an invalid index.
  private func box(_ index: Int, part: PixelRectangle? = nil) -> PictureBox? {
    let pictures = model.detail.pictures
    guard pictures.indices.contains(index) else { return nil }
    var box = PictureBox(
      pictures[index], in: parts.picture, fit: .whole, style: context.pictures,
      rendition: .original, part: part)
    box.retryKey = "R"
    return box
  }

  /// Size of the picture and of its area in pixels; nil until the picture is loaded.
  private var surroundings: PictureZoom.Surroundings? {
    guard let want = box(model.detail.pictureIndex)?.want,
      let place = PictureBox.pixels(of: parts.picture, context.pictures),
      case .ready(let tile as PictureTile) = frame.gallery.picture(for: want),
      let size = tile.pictureSize
    else { return nil }
    return PictureZoom.Surroundings(picture: size, box: place)
  }

  /// Box of the shown part.
  private var shown: PictureBox? {
    box(model.detail.pictureIndex, part: surroundings.flatMap(model.zoom.part))
  }

  // MARK: Drawing

  package func layOut() {
    guard let want = shown?.want, isReady(want) else { return }
    model.didSee(want)
  }

  private func isReady(_ want: PictureWant) -> Bool {
    if case .ready = frame.gallery.picture(for: want) { true } else { false }
  }

  package func draw(on canvas: inout Canvas) {
    canvas.fill(frame.body, style: .plain)
    drawPicture(on: &canvas)
    drawDots(on: &canvas)
    canvas.setCursor(at: frame.body.origin, isVisible: false)
  }

  /// Draws the picture; while a part is being made, the previous part.
  private func drawPicture(on canvas: inout Canvas) {
    guard let shown else { return }
    let isWaiting = shown.want.map { !isReady($0) } ?? false
    if isWaiting, let last = model.lastReady, last.picture == shown.want?.picture,
      last.box == shown.want?.box, isReady(last)
    {
      box(model.detail.pictureIndex, part: last.part)?
        .draw(on: &canvas, from: frame.gallery, context)
    } else {
      shown.draw(on: &canvas, from: frame.gallery, context)
    }
  }

  private func drawDots(on canvas: inout Canvas) {
    let (row, note) = (dots.rect, note)
    dots.draw(on: &canvas, context)
    guard !row.isEmpty, dots.columns + 2 + note.columns <= row.columns else { return }
    canvas.write(
      note, at: row.splitRight(note.columns).right.origin, style: context.theme.secondary)
  }

  /// Note at the right: the slide show, or the scale in percent.
  private var note: SafeText {
    if model.isPlaying { return context.strings[.picturesPlaying] }
    guard isEnlarged, let surroundings else { return .empty }
    return SafeText(Int((model.zoom.scale(surroundings) * 100).rounded())) + "%"
  }

  /// Shown picture, then those that the next keys show.
  package var wants: [PictureWant] {
    let index = model.detail.pictureIndex
    let whole = [index, index + 1, index - 1].compactMap { box($0)?.want }
    let kept = model.lastReady.map { [$0] } ?? []
    let wanted = [shown?.want].compactMap(\.self) + whole + kept.filter(isReady)
    return wanted.enumerated().filter { wanted.firstIndex(of: $1) == $0 }.map(\.element)
  }

  /// Shows the picture of a clicked dot.
  package func press(at point: CellPoint) -> Bool {
    if let index = dots.picture(at: point) { model.showPicture(at: index) }
    return true
  }
}
