package import SafeTextKit

/// Positions of links in a wrapped text; a wrapped address has several spans.
package enum LinkSpans {
  /// Part of a link in one line of a wrapped text.
  package struct Span: Hashable {
    package let line: Int
    package let columns: Range<Int>
    package let link: WebLink
  }

  /// Links of paragraphs, by their positions in the lines to which the paragraphs were wrapped.
  package static func spans(in paragraphs: [SafeText], wrappedTo columns: Int) -> [Span] {
    var spans: [Span] = []
    var first = 0
    for paragraph in paragraphs {
      let lines = paragraph.wrapped(toColumns: columns)
      let occurrences = WebLink.occurrences(in: paragraph)
      if !occurrences.isEmpty { spans += self.spans(of: occurrences, in: paragraph, lines, first) }
      first += lines.count
    }
    return spans
  }

  /// Lines lack the blanks at which the paragraph was wrapped, so both are traversed together to map
  /// each column.
  private static func spans(
    of occurrences: [WebLink.Occurrence], in paragraph: SafeText, _ lines: [SafeText], _ first: Int
  ) -> [Span] {
    var spans: [Span] = []
    var rest = paragraph.clusters
    var occurrences = occurrences[...]
    var column = 0
    for (row, line) in lines.enumerated() {
      var lineColumn = 0
      for cluster in line.clusters {
        while let next = rest.next() {
          let start = column
          column += next.columns
          guard next.string == cluster.string else { continue }
          while let occurrence = occurrences.first, occurrence.columns.upperBound <= start {
            occurrences.removeFirst()
          }
          if let occurrence = occurrences.first, occurrence.columns.contains(start) {
            add(occurrence.link, line: first + row, column: lineColumn, to: &spans)
          }
          break
        }
        lineColumn += cluster.columns
      }
    }
    return spans
  }

  /// Addresses are ASCII: one column for each character.
  private static func add(_ link: WebLink, line: Int, column: Int, to spans: inout [Span]) {
    if let last = spans.last, last.line == line, last.link == link,
      last.columns.upperBound == column
    {
      let columns = last.columns.lowerBound..<column + 1
      spans[spans.count - 1] = Span(line: line, columns: columns, link: link)
    } else {
      spans.append(Span(line: line, columns: column..<column + 1, link: link))
    }
  }
}
