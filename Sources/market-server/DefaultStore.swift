import Glibc

/// The market file that all programs of the market open unless told otherwise (XDG Base Directory
/// Specification).
enum DefaultStore {
  /// `$XDG_DATA_HOME/market/market.sqlite`, in a folder that is there and its owner's alone.
  static var path: String {
    let data = variable("XDG_DATA_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    let folder = (data ?? (variable("HOME") ?? "") + "/.local/share") + "/market"
    var made = ""
    for part in folder.split(separator: "/") {
      made += "/" + part
      mkdir(made, 0o700)
    }
    return folder + "/market.sqlite"
  }

  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
