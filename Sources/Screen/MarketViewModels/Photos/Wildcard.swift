/// Shell pattern for one name: `*`, `?`, `[a-c]`, `[!ab]`, and backslash escapes (glob(7), without
/// named classes).
///
/// Letters are compared as Swift characters, in any normal form and locale; fnmatch(3) of the C
/// library does not match `가.jpg` with `[가-힣].jpg`. A match takes at most as many steps as the
/// product of both lengths.
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

  /// The only name that matches; nil if there may be others.
  package var literal: String? {
    var name = ""
    for part in parts {
      guard case .character(let character) = part else { return nil }
      name.append(character)
    }
    return name
  }

  /// Whether a name matches; one that begins with a dot needs a pattern that does.
  package func matches(_ name: String) -> Bool {
    let name = Array(name)
    if name.first == ".", parts.first?.isDot != true { return false }
    var (part, place) = (0, 0)
    // Position behind the last star, and how far the name was matched there.
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

  /// Reads a bracket expression behind its first bracket; nil, with nothing read, if the second
  /// bracket is missing.
  private static func set(in pattern: inout ArraySlice<Character>) -> Part? {
    var rest = pattern
    let isNegated = rest.first == "!" || rest.first == "^"
    if isNegated { rest.removeFirst() }
    var ranges: [ClosedRange<Character>] = []
    while let first = rest.popFirst() {
      // A bracket in the first place belongs to the set.
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
