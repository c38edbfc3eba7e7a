internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeText
internal import TerminalKit

/// The photos of a form: small pictures in order, the place for another one, and a line about the
/// selected one.
struct PhotoStrip {
  let form: ProductForm
  let layout: FormLayout
  let context: RenderContext
  let hasKeys: Bool

  private var photos: [FormPhoto] { form.photos.photos }
  private var isFocused: Bool { form.focus == .pictures }

  /// The pictures that this strip draws.
  static func wants(
    _ form: ProductForm, _ layout: FormLayout, style: PictureStyle
  ) -> [PictureWant] {
    let tiles = layout.tiles(count: form.photos.photos.count)
    return zip(form.photos.photos, tiles).compactMap { photo, tile in
      photo.picture.flatMap { PictureBox($0, in: tile, fit: .cover, style: style).want }
    }
  }

  func draw(on canvas: inout Canvas, gallery: PictureGallery) {
    let tiles = layout.tiles(count: photos.count)
    for (index, tile) in tiles.enumerated() {
      drawPhoto(photos[index], in: tile, on: &canvas, gallery: gallery)
      guard isFocused, index == form.photos.selected else { continue }
      canvas.horizontalRule(
        at: tile.origin.moved(rows: -1), columns: tile.columns, style: context.theme.accent,
        symbol: .heavyRule)
    }
    if !layout.isFolded { drawAdding(after: tiles.last, on: &canvas) }
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

  private func drawAdding(after tile: CellRect?, on canvas: inout Canvas) {
    let column = tile.map { $0.maxColumn + 3 } ?? layout.photos.minColumn
    let place = CellPoint(column: column, row: layout.photos.minRow + 1)
    let isSelected = isFocused && form.photos.selectedPhoto == nil
    if form.photos.hasRoom {
      let style = isSelected ? context.theme.selected(context.theme.accent) : context.theme.accent
      canvas.write("+ " + context.strings[.formAddPhoto], at: place, style: style)
    }
    canvas.write(counter, at: place.moved(rows: 1), style: context.theme.secondary)
    if hasKeys, isSelected { canvas.setCursor(at: place, isVisible: false) }
  }

  private var counter: SafeText {
    SafeText("\(photos.count)/\(FormRules.photoCount.upperBound)")
  }

  private func drawCaption(on canvas: inout Canvas) {
    guard let rect = layout.strip(of: .pictures, focus: form.focus) else { return }
    if !layout.isFolded, form.problems[.pictures] != nil { return }
    let text = !layout.isFolded ? caption : counter + "  " + caption
    let isSelected = isFocused && layout.isFolded
    canvas.write(
      text.truncated(toColumns: rect.columns), at: rect.origin,
      style: isSelected ? context.theme.text : context.theme.secondary)
    if hasKeys, isFocused, layout.isFolded || form.photos.selectedPhoto != nil {
      canvas.setCursor(at: rect.origin, isVisible: false)
    }
  }

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
    case .encoding(let bytes): return lead + "  " + BytesText.text(bytes) + " → …"
    case .ready(let photo):
      return lead + "  " + BytesText.text(photo.fileBytes) + " → "
        + BytesText.text(photo.bytes.count)
    }
  }
}
