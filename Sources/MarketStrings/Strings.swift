package import SafeText

/// The texts of one language.
package struct Strings: Sendable {
  package let language: Language
  private let table: StringTable

  package init(_ language: Language) {
    self.language = language
    table = StringTable(
      language == .korean ? PackageResources.ko_txt : PackageResources.en_txt)
  }

  /// A phrase without values.
  package subscript(_ phrase: Phrase) -> SafeText {
    SafeText(table.text(of: phrase, number: nil))
  }

  /// A phrase with its values; `number` chooses the form.
  package func callAsFunction(
    _ phrase: Phrase, _ values: SafeText..., number: Int? = nil
  ) -> SafeText {
    let text = table.text(of: phrase, number: number)
    return SafeText(StringTable.fill(text, with: values.map(\.string)))
  }

  /// A phrase about a number of things, written with separators.
  package func counted(_ phrase: Phrase, _ number: Int) -> SafeText {
    self(phrase, SafeText(NumberText.grouped(Int64(number))), number: number)
  }

  package func has(_ phrase: Phrase) -> Bool { table.forms[phrase] != nil }

  /// The places for values in a phrase's forms, such as `{0}`.
  package func placeholders(_ phrase: Phrase) -> Set<Int> {
    StringTable.placeholders(in: table.text(of: phrase, number: nil))
  }

  /// Every phrase of the table.
  package var phrases: Set<Phrase> { Set(table.forms.keys) }
}
