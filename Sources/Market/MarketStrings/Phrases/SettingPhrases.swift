/// What is said of the settings file and its mistakes.
extension Phrase {
  package static var settingsNotWritten: Phrase { .named() }
  package static var settingsNotSaved: Phrase { .named() }
  package static var settingsBusy: Phrase { .named() }
  package static var settingsWaiting: Phrase { .named() }
  package static var settingsSaved: Phrase { .named() }
  package static var settingsRemoved: Phrase { .named() }
  package static var settingsOfTheme: Phrase { .named() }
  package static var settingsKeyOff: Phrase { .named() }
  package static var settingsClosed: Phrase { .named() }
  package static var settingsMoreMistakes: Phrase { .named() }
  package static var settingsMoreInReport: Phrase { .named() }
  package static var settingsSeeManual: Phrase { .named() }
  package static var settingsExpectedValue: Phrase { .named() }
  package static var settingsExpectedName: Phrase { .named() }
  package static var settingsExpectedColon: Phrase { .named() }
  package static var settingsExpectedComma: Phrase { .named() }
  package static var settingsExpectedQuote: Phrase { .named() }
  package static var settingsExpectedEscape: Phrase { .named() }
  package static var settingsExpectedBracket: Phrase { .named() }
  package static var settingsExpectedCommentEnd: Phrase { .named() }
  package static var settingsExpectedEnd: Phrase { .named() }
  package static var settingsTooDeep: Phrase { .named() }
  package static var settingsNotAnObject: Phrase { .named() }
  package static var settingsTakesNames: Phrase { .named() }
  package static var settingsUnknownKey: Phrase { .named() }
  package static var settingsUnknownPart: Phrase { .named() }
  package static var settingsNotStored: Phrase { .named() }
  package static var settingsNotAKey: Phrase { .named() }
  package static var settingsKeyTwice: Phrase { .named() }
  package static var settingsUnknownCommand: Phrase { .named() }
  package static var settingsWithoutKey: Phrase { .named() }
}
