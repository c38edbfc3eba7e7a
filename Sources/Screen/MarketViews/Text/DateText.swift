import Glibc
internal import MarketModel
import MarketStrings
internal import SafeText

/// Local dates and times as people read them: 2026-03-02 14:30, or the date alone where no more is
/// known.
enum DateText {
  /// When a product was registered and, where that differs, changed.
  static func dates(of product: Product, _ strings: Strings) -> [SafeText] {
    let created = strings(.detailDates, text(product.created))
    guard product.changed != product.created else { return [created] }
    return [created, strings(.detailChanged, text(product.changed))]
  }

  /// The local time of the day: 14:30.
  static func time(_ instant: Timestamp) -> SafeText {
    var seconds = time_t(instant.seconds)
    var parts = tm()
    localtime_r(&seconds, &parts)
    return SafeText("\(twoDigits(parts.tm_hour)):\(twoDigits(parts.tm_min))")
  }

  static func text(_ instant: Timestamp) -> SafeText {
    var seconds = time_t(instant.seconds)
    var parts = tm()
    switch instant.precision {
    case .second: localtime_r(&seconds, &parts)
    case .day: gmtime_r(&seconds, &parts)
    }
    let date =
      "\(Int(parts.tm_year) + 1900)-\(twoDigits(parts.tm_mon + 1))-\(twoDigits(parts.tm_mday))"
    guard instant.precision == .second else { return SafeText(date) }
    return SafeText("\(date) \(twoDigits(parts.tm_hour)):\(twoDigits(parts.tm_min))")
  }

  private static func twoDigits(_ number: Int32) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
