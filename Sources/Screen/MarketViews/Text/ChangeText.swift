internal import MarketModel
import MarketStrings
internal import MarketViewModels
internal import SafeText

/// Rows that say what becomes of each field: "가격  ₩240,000 → ₩220,000".
struct ChangeText {
  let changes: FieldChanges
  let strings: Strings

  private static let arrow: SafeText = " → "
  /// Characters before the first that differs in a long text.
  private static let context = 6
  /// More than a row holds.
  private static let longestExcerpt = 60

  /// One row a field, with all values in one column.
  func rows(columns: Int) -> [SafeText] {
    let labels = changes.fields.map { strings[$0.phrase] }
    let widest = labels.map(\.columns).max() ?? 0
    return zip(changes.fields, labels).map { field, label in
      let pad = SafeText(String(repeating: " ", count: widest - label.columns + 2))
      return label + pad + values(of: field, columns: columns - widest - 2)
    }
  }

  /// Both values; where they are too long, the old one leaves room for the new one.
  private func values(of field: ProductField, columns: Int) -> SafeText {
    let (old, new) = texts(of: field)
    let room = max(0, columns - Self.arrow.columns)
    let first = old.truncated(toColumns: max(room - new.columns, room / 2))
    return first + Self.arrow + new.truncated(toColumns: max(0, room - first.columns))
  }

  private func texts(of field: ProductField) -> (old: SafeText, new: SafeText) {
    let (before, after) = (changes.before, changes.after)
    switch FieldDescription[field].kind {
    case .pictures: return photos
    case .line, .text: return excerpts(before[field], after[field])
    case .amount, .number, .currency, .choice, .password:
      return (text(of: field, in: before), text(of: field, in: after))
    }
  }

  /// A value with its currency's sign; what is not said is a dash.
  private func text(of field: ProductField, in values: FormValues) -> SafeText {
    if FieldDescription[field].kind == .amount,
      let amount = FieldText.amount(of: field, in: values)
    {
      return amount
    }
    let text = FieldText.text(values[field], of: field, strings)
    return text.isEmpty ? "–" : text
  }

  /// Both texts from shortly before the place where they begin to differ.
  private func excerpts(_ old: String, _ new: String) -> (old: SafeText, new: SafeText) {
    let same = zip(old, new).prefix { $0 == $1 }.count
    let start = max(0, same - Self.context)
    func excerpt(_ text: String) -> SafeText {
      let part = SafeText(String(text.dropFirst(start).prefix(Self.longestExcerpt)))
      let lead: SafeText = start > 0 ? "…" : .empty
      return text.isEmpty ? "–" : lead + part
    }
    return (excerpt(old), excerpt(new))
  }

  /// How many photos there are, or that they stand in another order.
  private var photos: (old: SafeText, new: SafeText) {
    let (before, after) = (changes.before.photos, changes.after.photos)
    let old = strings.counted(.photoCount, before.count)
    if before.count != after.count { return (old, strings.counted(.photoCount, after.count)) }
    return (old, strings[Set(before) == Set(after) ? .photosReordered : .photosReplaced])
  }
}

extension Phrase {
  static var photosReordered: Phrase { .named() }
  static var photosReplaced: Phrase { .named() }
}
