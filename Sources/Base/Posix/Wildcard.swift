import Glibc

/// Pattern for names as a shell has them, `*`, `?` and `[ab]`, matched by the C library (fnmatch(3)).
package enum Wildcard {
  /// The only name that a pattern matches, without its backslashes; nil where there may be others.
  package static func literal(_ pattern: String) -> String? {
    var name = ""
    var isEscaped = false
    for character in pattern {
      if !isEscaped, "*?[".contains(character) { return nil }
      isEscaped = !isEscaped && character == "\\"
      if !isEscaped { name.append(character) }
    }
    return name
  }

  /// The items whose names match; a name that begins with a dot only where the pattern does so too.
  ///
  /// Letters are those of UTF-8 whatever the locale of the process; patterns and names are compared
  /// as they are, so both should be in one normal form.
  package static func matching<Item>(
    _ pattern: String, in items: [Item], name: (Item) -> String
  ) -> [Item] {
    let utf8 = newlocale(1 << LC_CTYPE, "C.UTF-8", nil)
    let usual = utf8.map { uselocale($0) }
    defer {
      if let usual { uselocale(usual) }
      if let utf8 { freelocale(utf8) }
    }
    return items.filter { fnmatch(pattern, name($0), FNM_PERIOD) == 0 }
  }
}
