/// Makes texts that count as equal in a search the same: NFC, then case folded.
///
/// A port, because the standard library offers neither; the program hands one in.
package typealias TextFolding = @Sendable (String) -> String
