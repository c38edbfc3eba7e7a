internal import MarketModel
internal import MarketViewModels
internal import TerminalKit

/// Layout of a form: labels in one column, fields as strips of the length of their contents; the
/// description takes the remaining height.
///
/// The focus moves nothing. A wide window has room for a preview beside the fields.
///
/// In a low window gaps are left out, then the photos are one line; where that does not fit either,
/// the form scrolls to the focused field.
struct FormLayout {
  /// Area of labels and fields.
  let bounds: CellRect
  /// Area of the preview; empty where there is no room.
  let preview: CellRect
  /// Whether the photos are one line.
  let isFolded: Bool
  /// Columns of the labels.
  let labels: Int
  /// Area of the photos; empty where they are folded.
  let photos: CellRect
  /// Row about the selected photo.
  let caption: CellRect
  /// Strips of all fields but the photos.
  private(set) var strips: [ProductField: CellRect] = [:]
  /// Fields with the alternate background, directly below a field with the usual one.
  private(set) var shaded: Set<ProductField> = []

  /// Maximum columns of a field: 72 with a margin on each side.
  private static let maxFieldLength = 74
  private static let shortField = 20
  /// Minimum columns of the window for a preview, and columns of the fields beside it.
  private static let (previewColumns, fieldColumns) = (120, 80...100)
  /// Columns between fields and preview, with a rule in the middle.
  private static let previewMargin = 3
  private static let photoRows = 4
  /// Minimum rows of the description; with gaps, and with gaps while the photos are one line.
  private static let (smallestDescription, description, foldedDescription) = (2, 3, 6)
  /// Rows of a password and its repetition.
  private static let secretRows = 2
  /// Minimum rows of the description where fields of one group have gaps.
  private static let spaciousDescriptionRows = 8

  /// Lays out the form of a product; `labels` is the maximum columns of its labels.
  init(_ whole: CellRect, form: ProductForm, labels: Int, showsPreview: Bool = true) {
    let isWide = showsPreview && whole.columns >= Self.previewColumns
    let (bounds, rest) = whole.splitLeft(
      isWide ? (whole.columns * 2 / 3).clamped(to: Self.fieldColumns) : whole.columns)
    self.bounds = bounds
    preview = rest.inset(left: Self.previewMargin, top: 1, right: 1)
    self.labels = max(0, min(labels, bounds.columns / 3))
    // Columns of a field with its label and margins.
    let pairColumns = self.labels + Self.shortField + 5
    let parts = Parts(of: form, pairs: bounds.columns >= 2 * pairColumns)
    let plan = Plan(bounds.rows, parts)
    isFolded = plan.isFolded
    let left = bounds.minColumn + min(self.labels + 4, bounds.columns)
    let room = max(0, bounds.maxColumn - 1 - left)
    var row = plan.gap(.top)
    func strip(_ row: Int, _ columns: Int, rows: Int = 1) -> CellRect {
      CellRect(column: left, row: bounds.minRow + row, columns: columns, rows: rows)
    }
    photos = strip(row, isFolded ? 0 : room, rows: isFolded ? 0 : Self.photoRows)
    row += photos.rows
    caption = strip(row, room)
    row += 1 + plan.gap(.belowPhotos)
    let (long, short) = (min(Self.maxFieldLength, room), min(Self.shortField, room))
    for field in parts.texts {
      strips[field] = strip(row, long)
      row += 1
    }
    row += plan.gap(.belowTexts)
    func place(_ rows: [[ProductField]], step: Int) {
      for (index, fields) in rows.enumerated() {
        for (place, field) in fields.enumerated() {
          let start = place * pairColumns
          let isAlone = fields.count == 1
          let longest = field.limit.map { min($0.characters.upperBound + 2, long) } ?? short
          let columns = isAlone ? longest : place == 0 ? short : min(longest, room - start)
          strips[field] = strip(row, columns).offset(columns: start)
        }
        row += index + 1 < rows.count ? step : 1
      }
    }
    place(parts.rows, step: plan.step)
    row += plan.gap(.aboveArea)
    if let area = parts.area {
      strips[area] = strip(row, long, rows: plan.description)
      row += plan.description
    }
    row += plan.gap(.belowArea)
    place(parts.seller, step: 1)
    if let secret = parts.secret { strips[secret] = strip(row, short, rows: Self.secretRows) }
    shaded = Self.shaded(strips, in: form.fields)
  }

  /// Lays out a question or an answer in a box: the text above single lines.
  init(_ bounds: CellRect, asking form: ProductForm, labels: Int) {
    self.bounds = bounds
    (preview, photos, caption, isFolded) = (.zero, .zero, .zero, true)
    self.labels = min(labels, bounds.columns / 3)
    let lines = form.fields.dropFirst()
    let room = bounds.inset(left: self.labels + 4, right: 1)
    strips[.description] = room.inset(bottom: lines.count + 1)
    for (row, field) in lines.enumerated() {
      let columns = form.fields.last == field && field != .price ? room.columns : Self.shortField
      strips[field] = room.splitBottom(lines.count - row).bottom.row(0).splitLeft(columns).left
    }
  }

  /// Blank row between groups of fields, the most needed first.
  private enum Gap: CaseIterable {
    case top, aboveArea, belowArea, belowPhotos, belowTexts, bottom
  }

  /// Division of the window's rows.
  private struct Plan {
    let isFolded: Bool
    /// Rows from one row of fields to the next.
    let step: Int
    /// Rows of the description.
    let description: Int
    private let gaps: ArraySlice<Gap>

    init(_ rows: Int, _ parts: Parts) {
      let fields =
        1 + parts.texts.count + parts.rows.count + parts.seller.count
        + (parts.secret == nil ? 0 : secretRows)
      let rest = rows - fields
      isFolded = rest - photoRows - FormLayout.description < 2
      let free = isFolded ? rest - foldedDescription : rest - photoRows - FormLayout.description
      gaps = Gap.allCases.prefix(max(0, free))
      let left = rest - (isFolded ? 0 : photoRows) - gaps.count
      let between = max(0, parts.rows.count - 1)
      step = left - between >= spaciousDescriptionRows && !isFolded ? 2 : 1
      description = max(smallestDescription, left - (step - 1) * between)
    }

    /// Rows of a gap, 0 or 1.
    func gap(_ gap: Gap) -> Int { gaps.contains(gap) ? 1 : 0 }
  }

  /// Returns every second row of directly adjacent fields.
  private static func shaded(
    _ strips: [ProductField: CellRect], in fields: [ProductField]
  ) -> Set<ProductField> {
    var shaded: Set<ProductField> = []
    var above: (field: ProductField, strip: CellRect)?
    for field in fields {
      guard let strip = strips[field] else { continue }
      if let above {
        let isBeside = above.strip.minRow == strip.minRow
        let isBelow = above.strip.maxRow == strip.minRow
        if isBeside == shaded.contains(above.field), isBeside || isBelow { shaded.insert(field) }
      }
      above = (field, strip)
    }
    return shaded
  }

  /// Fields of a form except the photos, by the room they need.
  private struct Parts {
    /// Texts above all other fields.
    var texts: [ProductField] = []
    /// Numbers, choices and short texts; two choices may share a row.
    var rows: [[ProductField]] = []
    /// Text that takes the remaining height.
    var area: ProductField?
    /// Fields of the seller, above the password.
    var seller: [[ProductField]] = []
    var secret: ProductField?

    /// `pairs` says whether two fields fit side by side.
    init(of form: ProductForm, pairs: Bool) {
      let ofSeller = form.fields.filter(ProductField.ofSeller.contains)
      seller = pairs && !ofSeller.isEmpty ? [ofSeller] : ofSeller.map { [$0] }
      for field in form.fields where !ofSeller.contains(field) {
        switch form[field] {
        case .line where rows.isEmpty: texts.append(field)
        case .choice where pairs && hasPlace(for: field):
          rows[rows.count - 1].append(field)
        case .line, .number, .choice: rows.append([field])
        case .area: area = field
        case .secret: secret = field
        case .photos: break
        }
      }
    }

    /// Whether the last row has a single choice, and the field is a choice too.
    private func hasPlace(for field: ProductField) -> Bool {
      let fields = (rows.last ?? []) + [field]
      return fields.count == 2
        && fields.allSatisfy { field in
          switch field.kind {
          case .choice, .flag: true
          case .line, .text, .amount, .number, .currency, .pictures, .password: false
          }
        }
    }
  }

  /// Returns the visible strip of a field; nil where it is scrolled out of sight.
  func strip(of field: ProductField, focus: ProductField) -> CellRect? {
    let rect = field == .pictures ? caption : strips[field]
    let focused = focus == .pictures ? caption : strips[focus] ?? caption
    let hidden = max(0, focused.maxRow - bounds.maxRow)
    guard let moved = rect?.offset(rows: -hidden) else { return nil }
    let visible = moved.intersection(bounds)
    return visible.isEmpty ? nil : visible
  }

  /// Whether the row below a strip has no field.
  func hasGap(below strip: CellRect) -> Bool {
    strip.maxRow < bounds.maxRow
      && !strips.values.contains { $0.minRow <= strip.maxRow && strip.maxRow < $0.maxRow }
  }

  /// Whether another field is in the same row.
  func isPaired(_ field: ProductField) -> Bool {
    strips.contains { $0.key != field && $0.value.minRow == strips[field]?.minRow }
  }

  /// Area of the description's text within its strip.
  var descriptionText: CellRect {
    (strips[.description] ?? .zero).inset(left: 1)
  }

  /// Returns the field at a point; nil for none.
  func field(at point: CellPoint, focus: ProductField) -> ProductField? {
    if photos.contains(point) { return .pictures }
    return ([.pictures] + strips.keys).first {
      strip(of: $0, focus: focus)?.contains(point) == true
    }
  }

  /// Returns the areas of `count` photos side by side; the slot for another one counts too.
  func tiles(count: Int) -> [CellRect] {
    guard count > 0, !photos.isEmpty else { return [] }
    let columns = max(1, min(Self.tileColumns, (photos.columns - count + 1) / count))
    return (0..<count).map { index in
      CellRect(
        column: photos.minColumn + index * (columns + 1), row: photos.minRow, columns: columns,
        rows: photos.rows)
    }
  }

  /// Rule between fields and preview; empty without one.
  var divider: CellRect {
    CellRect(
      column: bounds.maxColumn + 1, row: bounds.minRow, columns: 1,
      rows: preview.isEmpty ? 0 : bounds.rows)
  }

  /// Column of a field's label.
  func labelColumn(of strip: CellRect) -> Int {
    max(bounds.minColumn, strip.minColumn - labels - 3)
  }

  /// Row of a field's label and focus mark.
  func labelRow(of field: ProductField, in strip: CellRect) -> Int {
    field == .pictures && !isFolded ? photos.minRow + 1 : strip.minRow
  }

  /// Part of the window below the photos, for dialogs about photos; where it is too low, the whole
  /// window.
  func belowPhotos(in window: CellRect) -> CellRect {
    let rest = window.inset(top: caption.maxRow - window.minRow)
    return rest.rows < Self.smallestBox ? window : rest
  }

  /// Columns that a box over the fields needs to cover them with margins.
  var fieldColumns: Int {
    let end = strips.values.map(\.maxColumn).max() ?? bounds.maxColumn
    return end + 1 - bounds.minColumn
  }

  private static let smallestBox = 8
  private static let tileColumns = 12
}
