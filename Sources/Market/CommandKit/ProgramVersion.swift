internal import CBuildStamp
internal import TextCoding

/// Version of a program: number, release day, and the commit of its build.
package struct ProgramVersion: Hashable, Sendable {
  package let number: String
  /// Release day, for manual pages: `2026-11-22`.
  package let day: String
  /// Abbreviated commit hash; nil in a program that was neither installed nor packaged.
  package let commit: String?

  package static var own: ProgramVersion {
    ProgramVersion(
      ResourceFile.bytes("version.txt"),
      stamp: UnsafeRawBufferPointer(start: build_stamp(), count: BUILD_STAMP_SIZE))
  }

  /// Parses `Resources/version.txt`, a number, a space and a day, and the stamp: the commit,
  /// terminated by a zero byte.
  package init(_ file: some Sequence<UInt8>, stamp: some Sequence<UInt8>) {
    let words = String(decoding: Array(file), as: UTF8.self).split { $0.isWhitespace }
    number = words.first.map(String.init) ?? ""
    day = words.dropFirst().first.map(String.init) ?? ""
    let commit = String(decoding: stamp.prefix { $0 != 0 }, as: UTF8.self)
    self.commit = commit.isEmpty ? nil : commit
  }

  /// Kind of the build, for reports: `debug`, in which only hot targets are optimized (`Package.swift`), or
  /// `release`.
  package static var build: String {
    #if DEBUG
      "debug"
    #else
      "release"
    #endif
  }

  /// Name and number, for manual pages.
  package var text: String { "OpenMarket \(number)" }

  /// Name, number and commit, for `--version` and reports.
  package var line: String { commit.map { "\(text) (\($0))" } ?? text }
}
