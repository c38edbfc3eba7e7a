/// A day of the Gregorian calendar, in UTC.
///
/// The arithmetic counts days from 0000-03-01 in eras of 400 years (Howard Hinnant,
/// "chrono-Compatible Low-Level Date Algorithms").
struct CivilDate: Hashable, Sendable {
  var year: Int64
  var month: Int64
  var day: Int64

  /// - Returns: nil where there is no such day, or the year is not 1 to 9999.
  init?(year: Int64, month: Int64, day: Int64) {
    guard (1...9_999).contains(year), (1...12).contains(month),
      (1...Self.days(in: month, of: year)).contains(day)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// The day that is so many days after 1970-01-01; kept within the years 1 to 9999.
  init(daysSince1970 days: Int64) {
    let shifted = min(max(days, -719_162), 2_932_896) + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  var daysSince1970: Int64 {
    let yearFromMarch = month <= 2 ? year - 1 : year
    let era = yearFromMarch / 400
    let yearOfEra = yearFromMarch % 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func days(in month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
