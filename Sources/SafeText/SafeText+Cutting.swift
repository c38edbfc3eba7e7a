extension SafeText {
  private static let ellipsis: SafeText = "…"

  /// Where the spare cells of a padded text go.
  package enum Alignment: Sendable {
    case leading, center, trailing
  }

  /// As much from the start as fits into `columns` cells; one less when a wide cell would be cut.
  package func prefix(columns limit: Int) -> SafeText {
    let (end, used) = boundary(columns: limit)
    return SafeText(safe: String(string[..<end]), columns: used)
  }

  /// The rest after the first `columns` cells; a space stands for the second half of a wide cell.
  package func dropping(columns count: Int) -> SafeText {
    guard count > 0 else { return self }
    guard count < columns else { return .empty }
    var (start, used) = boundary(columns: count)
    guard used < count else {
      return SafeText(safe: String(string[start...]), columns: columns - count)
    }
    repeat {
      string.unicodeScalars.formIndex(after: &start)
    } while start < string.endIndex && cellWidth(of: string.unicodeScalars[start]) == 0
    return SafeText(safe: " " + string[start...], columns: columns - count)
  }

  /// The text, or what fits of it with an ellipsis, in at most `limit` cells.
  package func truncated(toColumns limit: Int) -> SafeText {
    guard columns > limit else { return self }
    return limit > 0 ? prefix(columns: limit - 1) + Self.ellipsis : .empty
  }

  /// The text in exactly `width` cells: filled up with spaces, or truncated.
  package func padded(toColumns width: Int, alignment: Alignment = .leading) -> SafeText {
    let text = truncated(toColumns: width)
    let spare = max(0, width - text.columns)
    return switch alignment {
    case .leading: text + .spaces(spare)
    case .center: .spaces(spare / 2) + text + .spaces(spare - spare / 2)
    case .trailing: .spaces(spare) + text
    }
  }

  package static func spaces(_ count: Int) -> SafeText {
    SafeText(safe: String(repeating: " ", count: count), columns: count)
  }

  /// The last place between clusters that is at most `limit` cells from the start.
  private func boundary(columns limit: Int) -> (index: String.Index, columns: Int) {
    guard columns > limit else { return (string.endIndex, columns) }
    let scalars = string.unicodeScalars
    var index = scalars.startIndex
    var used = 0
    while index < scalars.endIndex {
      let width = cellWidth(of: scalars[index])
      guard width == 0 || used + width <= limit else { break }
      used += width
      scalars.formIndex(after: &index)
    }
    return (index, used)
  }
}
