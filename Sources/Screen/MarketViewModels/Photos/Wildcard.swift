/// Pattern for one name as a shell has them: `*`, `?`, `[a-c]`, `[!ab]`, and a backslash before what
/// means itself (glob(7), without named classes).
///
/// Letters are compared as people see them, in whatever form a disk has them and in any locale;
/// fnmatch(3) of the C library finds no `가.jpg` for `[가-힣].jpg`. A match takes at most as many
/// steps as the lengths of both multiplied.
package nonisolated struct Wildcard: Sendable {
  fileprivate enum Part: Sendable {
    case anything
    case oneCharacter
    case oneOf([ClosedRange<Character>], isNegated: Bool)
    case character(Character)

    func matches(_ character: Character) -> Bool {
      switch self {
      case .anything: false
      case .oneCharacter: true
      case .oneOf(let ranges, let isNegated):
        ranges.contains { $0.contains(character) } != isNegated
      case .character(let own): own == character
      }
    }
  }

  private let parts: [Part]

  package init(_ pattern: String) {
    var parts: [Part] = []
    var rest = Array(pattern)[...]
    while let character = rest.popFirst() {
      switch character {
      case "*": parts.append(.anything)
      case "?": parts.append(.oneCharacter)
      case "[": parts.append(Self.set(in: &rest) ?? .character("["))
      case "\\": parts.append(.character(rest.popFirst() ?? "\\"))
      default: parts.append(.character(character))
      }
    }
    self.parts = parts
  }

  /// The only name that matches; nil where there may be others.
  package var literal: String? {
    var name = ""
    for part in parts {
      guard case .character(let character) = part else { return nil }
      name.append(character)
    }
    return name
  }

  /// Whether a name matches; one that begins with a dot only where the pattern does so too.
  package func matches(_ name: String) -> Bool {
    let name = Array(name)
    if name.first == ".", parts.first?.isDot != true { return false }
    var (part, place) = (0, 0)
    // Behind the last star, and how far the name went for it.
    var retry: (part: Int, place: Int)?
    while place < name.count {
      if part < parts.count, case .anything = parts[part] {
        part += 1
        retry = (part, place)
      } else if part < parts.count, parts[part].matches(name[place]) {
        part += 1
        place += 1
      } else if let last = retry {
        retry = (last.part, last.place + 1)
        (part, place) = (last.part, last.place + 1)
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { if case .anything = $0 { true } else { false } }
  }

  /// What stands between brackets, of which the first is read; nil, with nothing read, where the
  /// second one is missing.
  private static func set(in pattern: inout ArraySlice<Character>) -> Part? {
    var rest = pattern
    let isNegated = rest.first == "!" || rest.first == "^"
    if isNegated { rest.removeFirst() }
    var ranges: [ClosedRange<Character>] = []
    while let first = rest.popFirst() {
      // A bracket that comes first is one of the set.
      if first == "]", !ranges.isEmpty {
        pattern = rest
        return .oneOf(ranges, isNegated: isNegated)
      }
      let lower = first == "\\" ? rest.popFirst() ?? first : first
      guard rest.first == "-", let upper = rest.dropFirst().first, upper != "]" else {
        ranges.append(lower...lower)
        continue
      }
      rest.removeFirst(2)
      if lower <= upper { ranges.append(lower...upper) }
    }
    return nil
  }
}

nonisolated extension Wildcard.Part {
  fileprivate var isDot: Bool { if case .character(".") = self { true } else { false } }
}
