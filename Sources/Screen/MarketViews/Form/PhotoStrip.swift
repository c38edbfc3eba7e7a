internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit
internal import TerminalKit

/// Strip of a form's photos: thumbnails in order, a slot for another photo, and a line about the
/// selected one; folded, one line with their names.
struct PhotoStrip {
  let form: ProductForm
  let layout: FormLayout
  let context: RenderContext
  let hasKeys: Bool

  private static let smallestFrame = 6

  private var photos: [FormPhoto] { form.photos.photos }
  private var isFocused: Bool { form.focus == .pictures }
  private var isSlotSelected: Bool { isFocused && form.photos.selectedPhoto == nil }

  /// Positions of the photos, and of the slot after them.
  var tiles: [CellRect] { layout.tiles(count: photos.count + (hasSlot ? 1 : 0)) }

  private var hasSlot: Bool {
    form.photos.hasRoom && (form.purpose == .registration || form.capabilities.changesPictures)
  }

  /// Pictures that the strip draws.
  func wants(_ style: PictureStyle) -> [PictureWant] {
    zip(photos, tiles).compactMap { photo, tile in
      photo.picture.flatMap { PictureBox($0, in: tile, fit: .cover, style: style).want }
    }
  }

  func draw(on canvas: inout Canvas, gallery: PictureGallery) {
    guard !layout.isFolded else { return drawFolded(on: &canvas) }
    let tiles = tiles
    for (photo, tile) in zip(photos, tiles) {
      drawPhoto(photo, in: tile, on: &canvas, gallery: gallery)
    }
    if isFocused, photos.indices.contains(form.photos.selected) {
      let tile = tiles[form.photos.selected]
      canvas.horizontalRule(
        at: tile.origin.moved(rows: -1), columns: tile.columns, style: context.theme.accent,
        symbol: .heavyRule)
    }
    if hasSlot, let slot = tiles.last { drawSlot(slot, on: &canvas) }
    let counterPlace = CellPoint(
      column: layout.bounds.minColumn + 1, row: layout.photos.minRow + 2)
    canvas.write(counter, at: counterPlace, style: context.theme.secondary)
    drawCaption(on: &canvas)
  }

  private func drawPhoto(
    _ photo: FormPhoto, in tile: CellRect, on canvas: inout Canvas, gallery: PictureGallery
  ) {
    guard let picture = photo.picture else {
      canvas.fill(tile, style: context.theme.tile)
      return
    }
    PictureBox(picture, in: tile, fit: .cover, style: context.pictures)
      .draw(on: &canvas, from: gallery, context)
  }

  // MARK: Slot

  private func drawSlot(_ slot: CellRect, on canvas: inout Canvas) {
    let theme = context.theme
    let isFramed = slot.columns >= Self.smallestFrame
    if isFramed {
      canvas.frame(slot, style: isSlotSelected ? theme.accent : theme.secondary, weight: .dashed)
    }
    let words = "+ " + context.strings[.formAddPhoto]
    let text = words.truncated(toColumns: isFramed ? slot.columns - 2 : slot.columns)
    let position = slot.row(1).centered(CellSize(columns: text.columns, rows: 1)).origin
    canvas.write(
      text, at: position, style: isSlotSelected ? theme.selected(theme.accent) : theme.accent)
    if hasKeys, isSlotSelected { canvas.setCursor(at: position, isVisible: false) }
    guard photos.isEmpty else { return }
    let room = layout.photos.maxColumn - slot.maxColumn - 2
    let (hint, style) = problem ?? (context.strings[.formPhotosHint], theme.secondary)
    for (row, line) in hint.wrapped(toColumns: room).prefix(room > 0 ? 2 : 0).enumerated() {
      let position = CellPoint(column: slot.maxColumn + 2, row: slot.minRow + 1 + row)
      canvas.write(line, at: position, style: style)
    }
  }

  /// Problem of the photos with its style; nil without one.
  private var problem: (text: SafeText, style: Style)? {
    form.problems[.pictures].map { problem in
      let text = ProblemText.text(problem, of: .pictures, context.strings)
      return ("✗ " + text, context.theme.warning)
    }
  }

  // MARK: Caption

  private var counter: SafeText {
    SafeText("\(photos.count)/\(FormRules.photoCount.upperBound)")
  }

  private func drawFolded(on canvas: inout Canvas) {
    guard let rect = layout.strip(of: .pictures, focus: form.focus) else { return }
    let about = isFocused ? caption : photos.isEmpty ? context.strings[.formPhotosHint] : names
    let (text, style) =
      problem ?? (about, isFocused ? context.theme.text : context.theme.secondary)
    let line = counter + (text.isEmpty ? .empty : " · " + text)
    canvas.write(line.truncated(toColumns: rect.columns), at: rect.origin, style: style)
    if hasKeys, isFocused { canvas.setCursor(at: rect.origin, isVisible: false) }
  }

  /// File names, separated by commas.
  private var names: SafeText {
    photos.map(\.name).filter { !$0.isEmpty }.map { SafeText($0) }.joined(separator: ", ")
  }

  private func drawCaption(on canvas: inout Canvas) {
    guard !photos.isEmpty, let rect = layout.strip(of: .pictures, focus: form.focus) else { return }
    let (text, style) = problem ?? (caption, context.theme.secondary)
    canvas.write(text.truncated(toColumns: rect.columns), at: rect.origin, style: style)
    if hasKeys, isFocused, !isSlotSelected { canvas.setCursor(at: rect.origin, isVisible: false) }
  }

  /// Text about the selected or last photo: its name, and its size before and after encoding.
  private var caption: SafeText {
    let strings = context.strings
    guard let photo = form.photos.selectedPhoto ?? photos.last else {
      return strings[.formPhotosHint]
    }
    let isFirst = photo.id == photos.first?.id && photos.count > 1
    let name = photo.name.isEmpty ? strings[.formPhotoKept] : SafeText(photo.name)
    let lead = isFirst ? strings[.formThumbnail] + " · " + name : name
    switch photo.content {
    case .kept:
      return form.capabilities.changesPictures ? lead : lead + " · " + strings[.hintPhotosFixed]
    case .reading: return lead + "  …"
    case .encoding(let bytes, _): return lead + "  " + BytesText.text(bytes) + " → …"
    case .ready(let photo):
      let sizes = [photo.fileBytes, photo.bytes.count].map(BytesText.text)
      // An unchanged size needs no arrow.
      return lead + "  " + (sizes[0] == sizes[1] ? sizes[0] : sizes.joined(separator: " → "))
    }
  }
}
