internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeTextKit

/// Texts of the changed fields with old and new value: "가격  ₩240,000 → ₩220,000".
struct ChangeText {
  let changes: FieldChanges
  let strings: Strings

  private static let arrow: SafeText = " → "
  /// Characters before the first difference in an excerpt.
  private static let context = 6
  /// Maximum characters of an excerpt, more than a row holds.
  private static let maxExcerptLength = 60

  /// Returns one row per field, with aligned values.
  func rows(columns: Int) -> [SafeText] {
    let labels = changes.fields.map { strings[$0.phrase] }
    let widest = labels.map(\.columns).max() ?? 0
    return zip(changes.fields, labels).map { field, label in
      let pad = SafeText(String(repeating: " ", count: widest - label.columns + 2))
      return label + pad + values(of: field, columns: columns - widest - 2)
    }
  }

  /// All changes in one line; the first field has no label.
  var line: SafeText {
    let rows = changes.fields.map { field -> SafeText in
      let (old, new) = texts(of: field, columns: Self.maxExcerptLength)
      let values = old + Self.arrow + new
      return field == changes.fields.first ? values : strings[field.phrase] + " " + values
    }
    return rows.joined(separator: " · ")
  }

  /// Old and new value; where they are too long, the old one leaves room for the new one.
  private func values(of field: ProductField, columns: Int) -> SafeText {
    let room = max(0, columns - Self.arrow.columns)
    let (old, new) = texts(of: field, columns: room)
    let first = old.truncated(toColumns: max(room - new.columns, room / 2))
    return first + Self.arrow + new.truncated(toColumns: max(0, room - first.columns))
  }

  private func texts(of field: ProductField, columns: Int) -> (old: SafeText, new: SafeText) {
    let (before, after) = (changes.before, changes.after)
    switch field.kind {
    case .pictures: return photos
    case .line, .text: return excerpts(before[field], after[field], columns: columns)
    case .amount, .number, .currency, .choice, .flag, .password:
      return (text(of: field, in: before), text(of: field, in: after))
    }
  }

  /// Value with its currency's sign; a dash where it is empty.
  private func text(of field: ProductField, in values: FormValues) -> SafeText {
    if field.kind == .amount,
      let amount = FieldText.amount(of: field, in: values)
    {
      return amount
    }
    let text = FieldText.text(of: field, in: values, strings)
    return text.isEmpty ? "–" : text
  }

  /// Old and new text; where they do not fit, from shortly before their first difference.
  private func excerpts(
    _ old: String, _ new: String, columns: Int
  ) -> (old: SafeText, new: SafeText) {
    let whole = (old: excerpt(old, from: 0), new: excerpt(new, from: 0))
    guard whole.old.columns + whole.new.columns > columns else { return whole }
    let same = zip(old, new).prefix { $0 == $1 }.count
    let start = max(0, same - Self.context)
    return (excerpt(old, from: start), excerpt(new, from: start))
  }

  private func excerpt(_ text: String, from start: Int) -> SafeText {
    let part = SafeText(String(text.dropFirst(start).prefix(Self.maxExcerptLength)))
    let lead: SafeText = start > 0 ? "…" : .empty
    return text.isEmpty ? "–" : lead + part
  }

  /// Number of photos before and after, or that they were reordered or replaced.
  private var photos: (old: SafeText, new: SafeText) {
    let before = changes.before.photos.map(\.id)
    let after = changes.after.photos.map(\.id)
    let old = strings.counted(.photoCount, before.count)
    if before.count != after.count { return (old, strings.counted(.photoCount, after.count)) }
    return (old, strings[Set(before) == Set(after) ? .photosReordered : .photosReplaced])
  }
}
