internal import SafeText

/// Durations as people say them.
enum DurationText {
  /// In seconds up to a minute and a half, then in minutes and hours, rounded up.
  static func text(seconds: Int, _ strings: Strings) -> SafeText {
    switch seconds {
    case ...90: strings.counted(.durationSeconds, seconds)
    case ...5_400: strings.counted(.durationMinutes, (seconds + 59) / 60)
    default: strings.counted(.durationHours, (seconds + 3_599) / 3_600)
    }
  }
}

/// Whole numbers as people write them.
package enum NumberText {
  /// With a comma between each three digits: 1,690,000.
  package static func grouped(_ number: Int64) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return text
  }
}
