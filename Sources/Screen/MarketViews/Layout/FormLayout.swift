internal import MarketModel
internal import MarketViewModels
internal import TerminalKit

/// What stands where in a form: labels in one column, fields as strips as long as what goes into
/// them; the description takes the height that is left, and that of the photos while it is edited.
///
/// Beside the fields a wide window has room for the product as it will look.
///
/// In a window of fewer than 22 rows photos are a line and the space between fields goes; where even
/// that does not fit, the form scrolls to the field that has the focus.
struct FormLayout {
  /// Where labels and fields stand.
  let bounds: CellRect
  /// Where the product stands as it will look; empty where the window has no room for it.
  let preview: CellRect
  /// Whether groups of fields stand apart.
  let isRoomy: Bool
  /// Whether the photos are one line: in a short window, and while the description needs their rows.
  let isFolded: Bool
  /// The columns of the labels.
  let labels: Int
  /// Where the pictures stand; empty in a short window.
  let photos: CellRect
  /// The line that tells about the selected photo.
  let caption: CellRect
  /// The strips of all fields but the photos.
  private(set) var strips: [ProductField: CellRect] = [:]
  /// The fields that stand right under another one of the usual shade.
  private(set) var shaded: Set<ProductField> = []

  /// Lines of 72 columns, with a margin on each side.
  private static let maxFieldLength = 74
  private static let shortField = 20
  /// From this width on there is a preview, right of the two thirds that the fields keep.
  private static let (previewColumns, fieldColumns) = (120, 80...100)
  /// Columns between the fields and the preview, with a rule in the middle.
  private static let previewMargin = 3
  private static let roomyRows = 22
  private static let photoRows = 4
  /// The rows from the top to the first field: with the photos as pictures, and as a line.
  private static let (photoHeadRows, foldedHeadRows) = (7, 3)
  private static let smallestDescription = 2
  /// The rows of a password, which is typed twice.
  private static let secretRows = 2
  /// With fewer rows the description takes those of the photos while it is edited.
  private static let comfortableDescription = 16
  /// The rows that the description keeps where fields of one group stand apart.
  private static let spaciousDescriptionRows = 8

  /// The layout of a form whose labels take so many columns.
  init(_ whole: CellRect, form: ProductForm, labels: Int, showsPreview: Bool = true) {
    let isWide = showsPreview && whole.columns >= Self.previewColumns
    let (bounds, rest) = whole.splitLeft(
      isWide ? (whole.columns * 2 / 3).clamped(to: Self.fieldColumns) : whole.columns)
    self.bounds = bounds
    preview = rest.inset(left: Self.previewMargin, top: 1, right: 1)
    self.labels = max(0, min(labels, bounds.columns / 3))
    // What a field takes with its label, and blank columns on both sides.
    let pairColumns = self.labels + Self.shortField + 5
    let parts = Parts(of: form, pairsChoices: bounds.columns >= 2 * pairColumns)
    let plan = Plan(bounds.rows, parts, focus: form.focus)
    isRoomy = plan.isRoomy
    isFolded = plan.isFolded
    let left = bounds.minColumn + min(self.labels + 4, bounds.columns)
    let room = max(0, bounds.maxColumn - 1 - left)
    func strip(_ row: Int, _ columns: Int, rows: Int = 1) -> CellRect {
      CellRect(column: left, row: bounds.minRow + row, columns: columns, rows: rows)
    }
    photos = strip(1, isFolded ? 0 : room, rows: isFolded ? 0 : Self.photoRows)
    caption = strip(plan.captionRow, room)
    let (long, short) = (min(Self.maxFieldLength, room), min(Self.shortField, room))
    var row = plan.firstRow
    for (index, field) in parts.texts.enumerated() { strips[field] = strip(row + index, long) }
    row += parts.texts.isEmpty ? 0 : parts.texts.count - 1 + (isRoomy ? 2 : 1)
    for (index, fields) in parts.rows.enumerated() {
      for (place, field) in fields.enumerated() {
        let columns = field.limit.map { min($0.characters.upperBound + 2, room) } ?? short
        strips[field] = strip(row + index * plan.step, columns).offset(
          columns: place * pairColumns)
      }
    }
    row += parts.rows.isEmpty ? 0 : (parts.rows.count - 1) * plan.step + (isRoomy ? 2 : 1)
    let height = max(Self.smallestDescription, bounds.rows - row - plan.tail)
    if let area = parts.area { strips[area] = strip(row, long, rows: height) }
    if let secret = parts.secret {
      strips[secret] = strip(row + height + (isRoomy ? 1 : 0), short, rows: Self.secretRows)
    }
    shaded = Self.shaded(strips, in: form.fields)
  }

  /// The layout of a question or an answer in a box: the text above single lines.
  init(_ bounds: CellRect, asking form: ProductForm, labels: Int) {
    self.bounds = bounds
    (preview, photos, caption, isRoomy, isFolded) = (.zero, .zero, .zero, false, true)
    self.labels = min(labels, bounds.columns / 3)
    let lines = form.fields.dropFirst()
    let room = bounds.inset(left: self.labels + 4, right: 1)
    strips[.description] = room.inset(bottom: lines.count + 1)
    for (row, field) in lines.enumerated() {
      let columns = form.fields.last == field && field != .price ? room.columns : Self.shortField
      strips[field] = room.splitBottom(lines.count - row).bottom.row(0).splitLeft(columns).left
    }
  }

  /// How the rows of a window are shared out.
  private struct Plan {
    let isRoomy: Bool
    let isFolded: Bool
    /// The rows from one row of fields to the next.
    let step: Int
    /// The rows under the description.
    let tail: Int

    init(_ rows: Int, _ parts: Parts, focus: ProductField) {
      let hasSecret = parts.secret != nil
      let roomyTail = hasSecret ? secretRows + 2 : 2
      let fields = parts.texts.count + 1 + parts.rows.count + 1
      let rest = rows - photoHeadRows - fields - roomyTail
      isRoomy = rows >= roomyRows - (hasSecret ? 0 : 3) && rest >= smallestDescription
      let gaps = max(0, parts.rows.count - 1)
      step = isRoomy && rest - gaps >= spaciousDescriptionRows ? 2 : 1
      let description = rest - (step - 1) * gaps
      isFolded = !isRoomy || focus == parts.area && description < comfortableDescription
      tail = isRoomy ? roomyTail : hasSecret ? secretRows : 0
    }

    /// The row of the first field.
    var firstRow: Int { isRoomy ? isFolded ? foldedHeadRows : photoHeadRows : 1 }
    /// The row of the line about the photos.
    var captionRow: Int { isRoomy ? firstRow - 2 : 0 }
  }

  /// Every second one of the rows of fields that follow each other without a gap.
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

  /// The fields of a form but the photos, by how much room they take.
  private struct Parts {
    /// The texts that stand above all others.
    var texts: [ProductField] = []
    /// Numbers, choices and short texts; two choices may share a row.
    var rows: [[ProductField]] = []
    /// The text that takes the height that is left.
    var area: ProductField?
    var secret: ProductField?

    init(of form: ProductForm, pairsChoices: Bool) {
      for field in form.fields {
        switch form[field] {
        case .line where rows.isEmpty: texts.append(field)
        case .choice where pairsChoices && hasPlace(for: field):
          rows[rows.count - 1].append(field)
        case .line, .number, .choice: rows.append([field])
        case .area: area = field
        case .secret: secret = field
        case .photos: break
        }
      }
    }

    /// Whether the last row is that of one choice alone, and the field is one as well.
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

  /// The strip of a field as the window shows it; nil where it is scrolled away.
  func strip(of field: ProductField, focus: ProductField) -> CellRect? {
    let rect = field == .pictures ? caption : strips[field]
    let focused = focus == .pictures ? caption : strips[focus] ?? caption
    let hidden = max(0, focused.maxRow - bounds.maxRow)
    guard let moved = rect?.offset(rows: -hidden) else { return nil }
    let visible = moved.intersection(bounds)
    return visible.isEmpty ? nil : visible
  }

  /// Whether a field has another one beside it.
  func isPaired(_ field: ProductField) -> Bool {
    strips.contains { $0.key != field && $0.value.minRow == strips[field]?.minRow }
  }

  /// Whether a strip is a part of that of the password.
  func isSecret(_ strip: CellRect) -> Bool {
    strips[.password].map { !$0.intersection(strip).isEmpty } ?? false
  }

  /// Where the text of the description stands within its strip.
  var descriptionText: CellRect {
    (strips[.description] ?? .zero).inset(left: 1)
  }

  /// The field at a point of the window, for a click.
  func field(at point: CellPoint, focus: ProductField) -> ProductField? {
    if photos.contains(point) { return .pictures }
    return ProductField.allCases.first {
      strip(of: $0, focus: focus)?.contains(point) == true
    }
  }

  /// Where so many photos, or photos and the place for another one, stand side by side.
  func tiles(count: Int) -> [CellRect] {
    guard count > 0, !photos.isEmpty else { return [] }
    let columns = max(1, min(Self.tileColumns, (photos.columns - count + 1) / count))
    return (0..<count).map { index in
      CellRect(
        column: photos.minColumn + index * (columns + 1), row: photos.minRow, columns: columns,
        rows: photos.rows)
    }
  }

  /// The rule between the fields and the preview; empty where there is none.
  var divider: CellRect {
    CellRect(
      column: bounds.maxColumn + 1, row: bounds.minRow, columns: 1,
      rows: preview.isEmpty ? 0 : bounds.rows)
  }

  /// The column of the label of a field.
  func labelColumn(of strip: CellRect) -> Int {
    max(bounds.minColumn, strip.minColumn - labels - 3)
  }

  /// The row of a field's label, which its mark of focus stands on.
  func labelRow(of field: ProductField, in strip: CellRect) -> Int {
    field == .pictures && !isFolded ? photos.minRow + 1 : strip.minRow
  }

  /// The part of the window below the photos: what asks about photos stands there, so that one sees
  /// them come; where too little is left, the whole window.
  func belowPhotos(in window: CellRect) -> CellRect {
    let rest = window.inset(top: caption.maxRow - window.minRow)
    return rest.rows < Self.smallestBox ? window : rest
  }

  /// The columns that a box over the fields needs to hide them, with a margin on each side.
  var fieldColumns: Int {
    let end = strips.values.map(\.maxColumn).max() ?? bounds.maxColumn
    return end + 1 - bounds.minColumn
  }

  private static let smallestBox = 8
  private static let tileColumns = 12
}
