/// The main figures as bars in an SVG: measured performance against each target.
///
/// Its colours follow those of the page around it, light or dark.
struct BarPicture {
  private static let width = 900
  private static let margin = 24
  private static let headHeight = 78
  private static let titleHeight = 38
  private static let rowHeight = 24
  private static let labelWidth = 350
  private static let barStart = margin + labelWidth
  /// A bar of this length meets its target exactly.
  private static let limitWidth = 230
  /// Longer bars are cut at so many limits.
  private static let longest = 1.12
  private static let valueStart = barStart + Int(Double(limitWidth) * longest) + 16

  private let groups: [Group]

  private struct Group {
    let title: String
    let bars: [Bar]

    var height: Int { titleHeight + bars.count * rowHeight }
  }

  private struct Bar {
    let label: String
    let value: String
    let goal: String
    let use: Double
  }

  init(_ report: Report) {
    groups = report.parts.compactMap { part in
      let bars = part.rows.filter(\.figure.isPictured).compactMap { row in
        guard let use = part.use(row), let value = part.judged(row) else { return Bar?.none }
        return Bar(
          label: row.figure.name, value: row.figure.format(value), goal: row.figure.goalText,
          use: use)
      }
      return bars.isEmpty ? nil : Group(title: part.name, bars: bars)
    }
  }

  /// The file; texts are ours and hold nothing that XML would need escaped.
  var svg: String {
    let height = Self.headHeight + groups.map(\.height).reduce(0, +) + Self.margin
    var top = Self.headHeight
    var body = ""
    for group in groups {
      body += draw(group, top: top)
      top += group.height
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.width) \(height)" \
      width="\(Self.width)" height="\(height)" role="img">
      <title>OpenMarket: performance against each target</title>
      \(Self.style)
      <rect class="ground" x="0.5" y="0.5" width="\(Self.width - 1)" height="\(height - 1)" rx="10"/>
      <text class="head" x="\(Self.margin)" y="38">Performance against each target</text>
      <text class="soft" x="\(Self.margin)" y="60">\
      A full track is the target; shorter is better, red misses it.</text>
      \(body)</svg>

      """
  }

  private func draw(_ group: Group, top: Int) -> String {
    let title = """
      <text class="title" x="\(Self.margin)" y="\(top + Self.titleHeight - 10)">\
      \(group.title.first?.uppercased() ?? "")\(group.title.dropFirst())</text>

      """
    let rows = group.bars.enumerated().map { index, bar in
      draw(bar, top: top + Self.titleHeight + index * Self.rowHeight)
    }
    return title + rows.joined()
  }

  private func draw(_ bar: Bar, top: Int) -> String {
    let length = max(4, Int(min(bar.use, Self.longest) * Double(Self.limitWidth)))
    let baseline = top + 16
    let track = "x=\"\(Self.barStart)\" y=\"\(top + 6)\" height=\"12\" rx=\"4\""
    return """
      <text class="label" x="\(Self.margin)" y="\(baseline)">\(bar.label)</text>
      <rect class="track" \(track) width="\(Self.limitWidth)"/>
      <rect class="\(bar.use > 1 ? "over" : "bar")" \(track) width="\(length)"/>
      <text class="value" x="\(Self.valueStart)" y="\(baseline)">\(bar.value)</text>
      <text class="soft" x="\(Self.width - Self.margin)" y="\(baseline)" text-anchor="end">\
      \(bar.goal)</text>

      """
  }

  private static let style = """
    <style>
    text { font: 13px system-ui, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; fill: #1f2328 }
    .head { font-size: 19px; font-weight: 600 }
    .title { font-weight: 600; fill: #0f6b62 }
    .value { font-weight: 600 }
    .soft { fill: #636c76 }
    .ground { fill: #ffffff; stroke: #d1d9e0 }
    .track { fill: #e9edf1 }
    .bar { fill: #14877b }
    .over { fill: #d1532f }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 }
      .title { fill: #5cd0c0 }
      .soft { fill: #919ba6 }
      .ground { fill: #0d1117; stroke: #30363d }
      .track { fill: #21282f }
      .bar { fill: #2ea597 }
      .over { fill: #f0784f }
    }
    </style>
    """
}
