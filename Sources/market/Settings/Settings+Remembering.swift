extension Settings {
  /// The settings file's text with one more server; comments and order stay as they are.
  ///
  /// - Parameters:
  ///   - name: what `--server` will take.
  ///   - address: the server's address.
  ///   - text: the file as it is; empty where there is none.
  /// - Returns: nil where the file cannot be read and had better not be touched.
  static func remembering(_ name: String, _ address: String, in text: String) -> String? {
    let entry = "\(quoted(name)): \(quoted(address))"
    guard !text.isEmpty else { return "{\n  \"servers\": {\n    \(entry)\n  }\n}\n" }
    guard let place = place(in: text) else { return nil }
    let (index, isInServers, isAlone) = place
    let comma = isAlone ? "" : ","
    let addition =
      isInServers
      ? "\n    \(entry)\(comma)" : "\n  \"servers\": {\n    \(entry)\n  }\(comma)"
    return text[..<index] + addition + text[index...]
  }

  /// A text as a string of JSON; an address may hold quotes.
  private static func quoted(_ text: String) -> String {
    "\"" + text.flatMap { "\"\\".contains($0) ? ["\\", $0] : [$0] } + "\""
  }

  /// Right behind the brace of `servers`, or behind the first one.
  private static func place(
    in text: String
  ) -> (index: String.Index, isInServers: Bool, isAlone: Bool)? {
    var scanner = SettingsScanner(text)
    guard (try? scanner.next()) == .mark("{") else { return nil }
    let first = scanner
    while let token = try? scanner.next() {
      guard token == .string("servers"), (try? scanner.next()) == .mark(":"),
        (try? scanner.next()) == .mark("{")
      else { continue }
      return (scanner.remainder.startIndex, true, isEmptyObject(scanner))
    }
    return (first.remainder.startIndex, false, isEmptyObject(first))
  }

  private static func isEmptyObject(_ scanner: SettingsScanner) -> Bool {
    var scanner = scanner
    return (try? scanner.next()) == .mark("}")
  }
}
