/// The main figures as bars in an SVG: how much of what is allowed each one takes.
struct BarPicture {
  private static let rowHeight = 22
  private static let labelWidth = 400
  private static let limitWidth = 280
  private static let width = 900
  /// Bars that are longer than this many limits are cut.
  private static let longest = 1.15

  private let bars: [Bar]

  private struct Bar {
    let label: String
    let text: String
    let use: Double
  }

  init(_ report: Report) {
    bars = report.parts.flatMap { part in
      part.rows.filter(\.figure.isPictured).compactMap { row in
        guard let use = part.use(row), let value = part.judged(row) else { return nil }
        let figure = row.figure
        return Bar(
          label: part.name + ": " + figure.name,
          text: figure.format(value) + " (" + figure.goalText + ")", use: use)
      }
    }
  }

  /// The file; texts are ours and hold nothing that XML would need escaped.
  var svg: String {
    let height = Self.rowHeight * (bars.count + 2)
    let limit = Self.labelWidth + Self.limitWidth
    let rows = bars.enumerated().map { index, bar in draw(bar, top: Self.rowHeight * (index + 1)) }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.width) \(height)" \
      font-family="sans-serif" font-size="13">
      <rect width="\(Self.width)" height="\(height)" fill="#ffffff"/>
      <text x="\(limit)" y="15" text-anchor="middle" fill="#555555">limit</text>
      \(rows.joined(separator: "\n"))
      <path d="M\(limit) 20V\(height - Self.rowHeight)" stroke="#555555" stroke-dasharray="3"/>
      </svg>

      """
  }

  private func draw(_ bar: Bar, top: Int) -> String {
    let length = Int(min(bar.use, Self.longest) * Double(Self.limitWidth))
    let colour = bar.use > 1 ? "#c8553d" : "#3d7ea6"
    let baseline = top + 15
    return """
      <text x="\(Self.labelWidth - 8)" y="\(baseline)" text-anchor="end">\(bar.label)</text>
      <rect x="\(Self.labelWidth)" y="\(top + 3)" width="\(max(1, length))" \
      height="\(Self.rowHeight - 6)" fill="\(colour)"/>
      <text x="\(Self.labelWidth + max(length, Self.limitWidth) + 10)" y="\(baseline)">\
      \(bar.text)</text>
      """
  }
}
