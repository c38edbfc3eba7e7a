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
    let parts = Parts(of: form)
    let isWide = showsPreview && whole.columns >= Self.previewColumns
    let (bounds, rest) = whole.splitLeft(
      isWide ? (whole.columns * 2 / 3).clamped(to: Self.fieldColumns) : whole.columns)
    let plan = Plan(bounds.rows, parts, focus: form.focus)
    self.bounds = bounds
    preview = rest.inset(left: Self.previewMargin, top: 1, right: 1)
    self.labels = max(0, min(labels, bounds.columns / 3))
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
    for (fields, columns, step) in [(parts.texts, long, 1), (parts.numbers, short, plan.step)] {
      for (index, field) in fields.enumerated() {
        strips[field] = strip(row + index * step, columns)
      }
      row += fields.isEmpty ? 0 : (fields.count - 1) * step + (isRoomy ? 2 : 1)
    }
    let height = max(Self.smallestDescription, bounds.rows - row - plan.tail)
    if let area = parts.area { strips[area] = strip(row, long, rows: height) }
    if let secret = parts.secret {
      strips[secret] = strip(row + height + (isRoomy ? 1 : 0), short, rows: Self.secretRows)
    }
    shaded = Self.shaded(strips, in: form.fields)
  }

  /// How the rows of a window are shared out.
  private struct Plan {
    let isRoomy: Bool
    let isFolded: Bool
    /// The rows from one number to the next.
    let step: Int
    /// The rows under the description.
    let tail: Int

    init(_ rows: Int, _ parts: Parts, focus: ProductField) {
      let hasSecret = parts.secret != nil
      let roomyTail = hasSecret ? secretRows + 2 : 2
      let fields = parts.texts.count + 1 + parts.numbers.count + 1
      let rest = rows - photoHeadRows - fields - roomyTail
      isRoomy = rows >= roomyRows - (hasSecret ? 0 : 3) && rest >= smallestDescription
      let gaps = max(0, parts.numbers.count - 1)
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

  /// Every second one of the fields that follow each other without a gap.
  private static func shaded(
    _ strips: [ProductField: CellRect], in fields: [ProductField]
  ) -> Set<ProductField> {
    var shaded: Set<ProductField> = []
    var above: (field: ProductField, end: Int)?
    for field in fields {
      guard let strip = strips[field] else { continue }
      if let above, above.end == strip.minRow, !shaded.contains(above.field) {
        shaded.insert(field)
      }
      above = (field, strip.maxRow)
    }
    return shaded
  }

  /// The fields of a form but the photos, by how much room they take.
  private struct Parts {
    var texts: [ProductField] = []
    /// Numbers and choices.
    var numbers: [ProductField] = []
    /// The text that takes the height that is left.
    var area: ProductField?
    var secret: ProductField?

    init(of form: ProductForm) {
      for field in form.fields {
        switch form[field] {
        case .line: texts.append(field)
        case .number, .choice: numbers.append(field)
        case .area: area = field
        case .secret: secret = field
        case .photos: break
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
