import Expectations
import MarketModel
import MarketStrings
import SafeTextKit
import Testing

struct StringsTests {
  @Test func `both languages have the same phrases`() {
    let (korean, english) = (Strings(.korean).phrases, Strings(.english).phrases)

    #expect(korean.contains(.soldOut))
    #expect(korean.symmetricDifference(english).isEmpty)
  }

  @Test(arguments: Strings(.english).phrases)
  func `both languages use the same values`(phrase: Phrase) {
    expect(Strings(.korean).placeholders(phrase), Strings(.english).placeholders(phrase))
  }

  @Test(arguments: ProductField.allCases)
  func `every field and every answer of a choice has words, and what is left unsaid as well`(
    _ field: ProductField
  ) {
    var answers: [String] = []
    if case .choice(let names) = field.kind { answers = names + (field.isOptional ? [""] : []) }
    let phrases =
      [field.phrase] + (field == .password ? [] : [field.optionPhrase])
      + answers.compactMap(field.phrase(of:))

    #expect(answers.allSatisfy { field.phrase(of: $0) != nil } && field.phrase(of: "?") == nil)
    #expect(phrases.allSatisfy(Strings(.english).has))
  }

  @Test(arguments: Language.allCases)
  func `every reason why a server gave no answer has a sentence of its own`(_ language: Language) {
    let failures: [ServerFailure] = [
      .libraryMissing, .otherScheme, .nameNotFound, .refused, .timedOut, .disconnected, .exhausted,
      .insecure, .tooManyRedirects, .redirectRefused, .redirectUnencrypted, .status(500),
      .notAMarket, .tooLarge, .unreadable,
    ]

    let sentences = Set(failures.map { ErrorText.text($0, Strings(language)).string })

    expect(sentences.count, failures.count)
  }

  @Test func `the number chooses the form`() {
    let english = Strings(.english)
    let korean = Strings(.korean)

    expect(english.counted(.ageDays, 1).string, "1 day ago")
    expect(english.counted(.ageDays, 3).string, "3 days ago")
    expect(korean.counted(.ageMonths, 1).string, "1개월 전")
    expect(korean.counted(.ageMonths, 3).string, "3개월 전")
    expect(korean.counted(.ageMonths, 7).string, "7개월 전")
  }

  @Test(
    arguments: [
      (1, "1 second"), (90, "90 seconds"), (91, "2 minutes"), (3_600, "60 minutes"),
      (5_401, "2 hours"), (86_400, "24 hours"),
    ])
  func `a pause is told in the unit that people would use`(seconds: Int, text: String) {
    let strings = Strings(.english)

    let attempts = ErrorText.text(.tooManyAttempts(retryAfterSeconds: seconds), strings)
    let requests = ErrorText.text(.tooManyRequests(retryAfterSeconds: seconds), strings)

    expect(attempts.string, "Too many wrong passwords; try again in \(text)")
    expect(requests.string, "Too many requests or questions for now; try again in \(text)")
  }

  @Test func `a value that looks like a placeholder stays what it is`() {
    let text = Strings(.english)(.usageBadValue, "{1}", "{2}", "x")

    expect(text.string, "Invalid value “{2}” for {1}; expected x")
  }

  @Test func `braces that hold no number are text`() {
    let text = Strings(.english)(.settingsTakesNames, "keys")

    expect(text.string, "keys must look like { \"name\": \"value\" }")
  }
}
