import CommandKit
import Glibc
import MarketStrings
import Posix

/// Time zone of the days in the products API and on pages: `--time-zone`, else TZ, else Asia/Seoul.
struct MarketTimeZone: Hashable {
  /// Zones that work without zone files, as rules of tzset(3).
  private static let rules = ["Asia/Seoul": "KST-9", "UTC": "UTC0"]

  /// Name such as `Asia/Seoul`, path of a zone file, or rule such as `KST-9`.
  let name: String
  /// Folder of the zone files.
  private let folder: String

  init(_ option: String?, environment: (String) -> String? = Environment.value) {
    name = option ?? environment("TZ") ?? "Asia/Seoul"
    folder = environment("TZDIR") ?? "/usr/share/zoneinfo"
  }

  /// Error for an unknown zone; nil if the system knows it.
  ///
  /// The C library treats unknown names as UTC.
  var mistake: CommandLineError? { variable == nil ? unknown : nil }

  private var unknown: CommandLineError {
    .said(access(folder, F_OK) == 0 ? .timeZoneUnknown : .timeZonesMissing, name)
  }

  /// Sets the zone of this process, in which no other thread may run yet (setenv(3)); an unknown zone
  /// changes nothing.
  func set() {
    guard let variable else { return }
    setenv("TZ", variable, 1)
    tzset()
  }

  /// Value of TZ; nil for an unknown zone.
  private var variable: String? {
    let zone = name.first == ":" ? String(name.dropFirst()) : name
    if isFile(zone) { return zone }
    return Self.rules[zone] ?? (Self.isRule(zone) ? zone : nil)
  }

  /// Whether a zone file of that name exists (tzfile(5)).
  private func isFile(_ zone: String) -> Bool {
    let descriptor = open(zone.first == "/" ? zone : "\(folder)/\(zone)", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var start = [UInt8](repeating: 0, count: 4)
    return read(descriptor, &start, start.count) == start.count && start == Array("TZif".utf8)
  }

  /// Whether a text begins like a rule: a name of at least three letters, or any in angle brackets,
  /// then a number.
  private static func isRule(_ text: String) -> Bool {
    let isQuoted = text.first == "<"
    let rest = isQuoted ? text.drop { $0 != ">" }.dropFirst() : text.drop { $0.isLetter }
    let number = "+-".contains(rest.first ?? " ") ? rest.dropFirst() : rest
    return text.count - rest.count >= 3 && number.first?.isWholeNumber == true
  }
}
