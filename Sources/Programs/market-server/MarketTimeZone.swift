import CommandKit
import Glibc
import MarketStrings
import Posix

/// Time zone in whose days the products API and pages date products: `--time-zone`, else TZ, else
/// Asia/Seoul.
struct MarketTimeZone: Hashable {
  /// Zones that need no file of the system, as rules of tzset(3).
  private static let rules = ["Asia/Seoul": "KST-9", "UTC": "UTC0"]

  /// A name such as `Asia/Seoul`, the path of a file, or a rule such as `KST-9`.
  let name: String
  /// The folder of the files of zones.
  private let folder: String

  init(_ option: String?, environment: (String) -> String? = Environment.value) {
    name = option ?? environment("TZ") ?? "Asia/Seoul"
    folder = environment("TZDIR") ?? "/usr/share/zoneinfo"
  }

  /// What is wrong with the name; nil where the system knows the zone.
  ///
  /// The C library takes any name that it does not know for UTC.
  var mistake: CommandLineError? { variable == nil ? unknown : nil }

  private var unknown: CommandLineError {
    .said(access(folder, F_OK) == 0 ? .timeZoneUnknown : .timeZonesMissing, name)
  }

  /// Makes it the zone of this process, in which nothing else may run yet (setenv(3)); one that the
  /// system does not know changes nothing.
  func set() {
    guard let variable else { return }
    setenv("TZ", variable, 1)
    tzset()
  }

  /// The value of TZ for it; nil for a zone that the system does not know.
  private var variable: String? {
    let zone = name.first == ":" ? String(name.dropFirst()) : name
    if isFile(zone) { return zone }
    return Self.rules[zone] ?? (Self.isRule(zone) ? zone : nil)
  }

  /// Whether there is a file of that name that holds a zone (tzfile(5)).
  private func isFile(_ zone: String) -> Bool {
    let descriptor = open(zone.first == "/" ? zone : "\(folder)/\(zone)", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var start = [UInt8](repeating: 0, count: 4)
    return read(descriptor, &start, start.count) == start.count && start == Array("TZif".utf8)
  }

  /// Whether a text is a rule, as far as its beginning says: a name of three letters at least, or
  /// anything in angle brackets, and a number.
  private static func isRule(_ text: String) -> Bool {
    let isQuoted = text.first == "<"
    let rest = isQuoted ? text.drop { $0 != ">" }.dropFirst() : text.drop { $0.isLetter }
    let number = "+-".contains(rest.first ?? " ") ? rest.dropFirst() : rest
    return text.count - rest.count >= 3 && number.first?.isWholeNumber == true
  }
}
