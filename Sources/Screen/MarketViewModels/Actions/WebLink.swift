package import SafeTextKit

/// Address of the web or of mail in a seller's text, exactly as it stands there.
///
/// An address is a run of ASCII: the first other letter ends it, as a Korean particle does. One whose
/// host would go on in letters that pass for Latin ones is none, nor is one with a user before its
/// host, which is how addresses pretend to lead elsewhere.
package nonisolated struct WebLink: Hashable, Sendable {
  package let address: String

  private static let schemes = ["https://", "http://", "mailto:"]
  private static let maxSchemeLength = 8
  /// Longer ones are none: the question before one is opened shows all of it in 80 columns and 24 rows.
  private static let longest = 700
  private static let closing: [Character: Character] = [")": "(", "]": "[", "}": "{"]
  private static let trailing: Set<Character> = [
    ".", ",", ";", ":", "!", "?", "'", "\"", "*", "_", "<", ">", "`",
  ]

  /// A link in a text, and the columns that it covers there.
  package struct Occurrence: Hashable, Sendable {
    package let link: WebLink
    package let columns: Range<Int>
  }

  /// The links of one line, from left to right.
  package static func occurrences(in line: SafeText) -> [Occurrence] {
    guard line.string.utf8.contains(UInt8(ascii: ":")) else { return [] }
    let clusters = Array(line.clusters)
    var starts: [Int] = []
    var column = 0
    for cluster in clusters {
      starts.append(column)
      column += cluster.columns
    }
    var occurrences: [Occurrence] = []
    var index = 0
    while index < clusters.count {
      if let link = link(at: index, in: clusters) {
        let end = index + link.address.count
        occurrences.append(Occurrence(link: link, columns: starts[index]..<starts[end - 1] + 1))
        index = end
      } else {
        index += 1
      }
    }
    return occurrences
  }

  /// The link that begins at a cluster; a word goes on before it, it is none.
  private static func link(at index: Int, in clusters: [SafeText.Cluster]) -> WebLink? {
    if index > 0, let before = clusters[index - 1].string.asciiValue,
      Character(Unicode.Scalar(before)).isLetter || Character(Unicode.Scalar(before)).isNumber
    {
      return nil
    }
    let rest = clusters[index...].lazy.map(\.string)
    guard let first = rest.first, "hHmM".contains(first) else { return nil }
    let start = String(rest.prefix(maxSchemeLength)).lowercased()
    guard let scheme = schemes.first(where: start.hasPrefix) else { return nil }
    let run = String(rest.prefix(longest + 1).prefix { $0.isAddressCharacter })
    guard run.count <= longest else { return nil }
    let address = withoutTrailingMarks(run)
    let body = address.dropFirst(scheme.count)
    let isValid =
      scheme == "mailto:"
      ? isMailbox(body)
      : isHost(body, isCutBy: address.count == run.count ? rest.dropFirst(run.count).first : nil)
    return isValid ? WebLink(address: address) : nil
  }

  /// A sentence ends behind an address, not within it; brackets belong to it in pairs.
  private static func withoutTrailingMarks(_ run: String) -> String {
    var address = run
    while let last = address.last {
      if let opening = closing[last] {
        guard address.count(where: { $0 == last }) > address.count(where: { $0 == opening }) else {
          break
        }
      } else if !trailing.contains(last) {
        break
      }
      address.removeLast()
    }
    return address
  }

  private static func isHost(_ body: Substring, isCutBy next: Character?) -> Bool {
    let host = body.prefix { !"/?#".contains($0) }
    guard let first = host.first, first.isLetter || first.isNumber || first == "[",
      !host.contains("@"), !host.contains("\\")
    else { return false }
    // Where the host itself ends the run, what follows may pass for more of it.
    guard host.count == body.count, let next else { return true }
    return next == " " || next.isEastAsian || next.isPunctuation
  }

  /// One mailbox, at most with a subject and a text (RFC 6068): other headers could add readers, and
  /// some mail programs take `attach` for the name of a file to send along.
  private static func isMailbox(_ body: Substring) -> Bool {
    let mailbox = body.prefix { $0 != "?" }
    let parts = mailbox.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return false }
    return body.dropFirst(mailbox.count + 1).split(separator: "&").allSatisfy { header in
      ["subject", "body"].contains(header.prefix { $0 != "=" }.lowercased())
    }
  }
}

nonisolated extension Character {
  /// Whether it may stand in an address: printable ASCII but blanks, quotes and angle brackets.
  fileprivate var isAddressCharacter: Bool {
    guard let value = asciiValue, unicodeScalars.count == 1 else { return false }
    return (0x21...0x7E).contains(value) && !"\"<>`{|}^\\".contains(self)
  }

  /// Whether it is a letter that nobody takes for a Latin one: Hangul, kana, Han.
  fileprivate var isEastAsian: Bool {
    guard let value = unicodeScalars.first?.value else { return false }
    return (0x1100...0x11FF).contains(value) || (0x3000...0x9FFF).contains(value)
      || (0xAC00...0xD7AF).contains(value)
  }
}
