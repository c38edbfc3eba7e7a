internal import CBuildStamp
internal import TextCoding

/// Version of a program: its number, the day it was given, and the commit that a program was
/// packed from.
package struct ProgramVersion: Hashable, Sendable {
  package let number: String
  /// Day of the number, as manual pages say it: `2026-11-22`.
  package let day: String
  /// Shortened hash of the commit; nil in a program that nobody has installed or packed.
  package let commit: String?

  /// Version of this program.
  package static var own: ProgramVersion {
    ProgramVersion(
      ResourceFile.bytes("version.txt"),
      stamp: UnsafeRawBufferPointer(start: build_stamp(), count: BUILD_STAMP_SIZE))
  }

  /// Reads `Resources/version.txt`, which is a number, a blank and a day, and the stamp, whose bytes
  /// up to the first zero are the commit.
  package init(_ file: some Sequence<UInt8>, stamp: some Sequence<UInt8>) {
    let words = String(decoding: Array(file), as: UTF8.self).split { $0.isWhitespace }
    number = words.first.map(String.init) ?? ""
    day = words.dropFirst().first.map(String.init) ?? ""
    let commit = String(decoding: stamp.prefix { $0 != 0 }, as: UTF8.self)
    self.commit = commit.isEmpty ? nil : commit
  }

  /// Name and number, as manual pages say them.
  package var text: String { "OpenMarket \(number)" }

  /// Name, number and commit, as `--version` and reports say them.
  package var line: String { commit.map { "\(text) (\($0))" } ?? text }
}
