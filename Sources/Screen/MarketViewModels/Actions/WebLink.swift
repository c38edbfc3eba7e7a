package import SafeTextKit

/// Web or mail address in a seller's text, exactly as written.
///
/// An address consists of ASCII; the first other character ends it, as a Korean particle does.
/// Excluded are hosts that continue in characters resembling Latin ones, and addresses with a user
/// before the host, which can hide where they lead.
package nonisolated struct WebLink: Hashable, Sendable {
  package let address: String

  private static let schemes = ["https://", "http://", "mailto:"]
  private static let maxSchemeLength = 8
  /// Maximum length in characters; longer addresses are ignored.
  ///
  /// The confirmation shows all of it in 80 × 24.
  private static let longest = 700
  private static let closing: [Character: Character] = [")": "(", "]": "[", "}": "{"]
  private static let trailing: Set<Character> = [
    ".", ",", ";", ":", "!", "?", "'", "\"", "*", "_", "<", ">", "`",
  ]

  /// Link in a text, and the columns that it covers.
  package struct Occurrence: Hashable, Sendable {
    package let link: WebLink
    package let columns: Range<Int>
  }

  /// Links of one line, from left to right.
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

  /// Link that begins at a cluster; nil if there is none, or it is inside a word.
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

  /// Punctuation at the end belongs to the sentence; a closing bracket belongs to the address if it
  /// is paired.
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
    // If the host itself ends the address, the next character might pass as a part of it.
    guard host.count == body.count, let next else { return true }
    return next == " " || next.isEastAsian || next.isPunctuation
  }

  /// Whether `body` is one mailbox, at most with subject and body (RFC 6068): other headers could add
  /// recipients, and some mail programs attach the file that `attach` names.
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
  /// Whether the character may be in an address: printable ASCII without blanks, quotes and angle
  /// brackets.
  fileprivate var isAddressCharacter: Bool {
    guard let value = asciiValue, unicodeScalars.count == 1 else { return false }
    return (0x21...0x7E).contains(value) && !"\"<>`{|}^\\".contains(self)
  }

  /// Whether the character is Hangul, kana or Han, which cannot be mistaken for Latin letters.
  fileprivate var isEastAsian: Bool {
    guard let value = unicodeScalars.first?.value else { return false }
    return (0x1100...0x11FF).contains(value) || (0x3000...0x9FFF).contains(value)
      || (0xAC00...0xD7AF).contains(value)
  }
}
