/// Motion of a caret from where it is; deleting takes the same names.
package enum Motion: Sendable, CaseIterable {
  case left, right
  case wordLeft, wordRight
  case lineStart, lineEnd
  case textStart, textEnd
}

extension [Character] {
  /// The place that `motion` leads to from `index`; the same when there is nothing that way.
  func target(of motion: Motion, from index: Int) -> Int {
    switch motion {
    case .left: Swift.max(0, index - 1)
    case .right: Swift.min(count, index + 1)
    case .wordLeft: wordStart(before: index)
    case .wordRight: wordEnd(after: index)
    case .lineStart: (self[..<index].lastIndex(where: \.isNewline) ?? -1) + 1
    case .lineEnd: self[index...].firstIndex(where: \.isNewline) ?? count
    case .textStart: 0
    case .textEnd: count
    }
  }

  private func wordStart(before index: Int) -> Int {
    guard let last = self[..<index].lastIndex(where: { !$0.isWhitespace }) else { return 0 }
    let isWord = self[last].isWord
    let gap = self[..<last].lastIndex { $0.isWhitespace || $0.isWord != isWord }
    return (gap ?? -1) + 1
  }

  private func wordEnd(after index: Int) -> Int {
    guard let first = self[index...].firstIndex(where: { !$0.isWhitespace }) else { return count }
    let isWord = self[first].isWord
    return self[first...].firstIndex { $0.isWhitespace || $0.isWord != isWord } ?? count
  }
}

extension Character {
  fileprivate var isWord: Bool { isLetter || isNumber }
}
