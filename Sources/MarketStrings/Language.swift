/// The languages that the program speaks.
package enum Language: String, CaseIterable, Sendable {
  case korean = "ko"
  case english = "en"

  /// The language of a locale's name such as `ko_KR.UTF-8`; anything that is not Korean is English.
  package init(locale: String) {
    self = locale.hasPrefix("ko") ? .korean : .english
  }
}
