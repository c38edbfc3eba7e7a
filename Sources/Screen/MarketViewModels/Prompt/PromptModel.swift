package import EditorKit
package import MarketModel
package import SafeTextKit

/// Dialog with one line of text, which is the answer.
package final class PromptModel: Dialog, LineLayer {
  package let reply = Reply<String>()
  package let subject: Subject
  @Observed package private(set) var editor: LineEditor
  /// Result of the last answer, until the text changes; nil for none.
  @Observed package var outcome: Outcome?

  /// Called with each change of the text, for a preview.
  private let follow: (String) -> Void

  /// Text that is asked for.
  package enum Subject: Hashable, Sendable {
    /// Price below which an alert is triggered.
    case alertAmount(AlertTarget)
    case favoriteNote(of: SafeText)
    /// Name under which the search `line` is saved.
    case searchName(line: String)
    /// Address or file of another market.
    case marketAddress
    /// Name of a market, with its summary if it is being added.
    case marketName(KnownMarket, MarketSummary?)
    /// Search terms for all markets.
    case everywhere
    case setting(SettingRow, form: String)
    /// Name under which a draft is saved as a template.
    case templateName
    /// Name of the seller, which replaces another one.
    case sellerName
    case sellerContact
    /// Price change or stock of a bulk edit.
    case bulkPrice, bulkStock
    /// Text of a report.
    case report(Report.Reason)

    /// Whether an empty text is an answer.
    fileprivate var mayBeEmpty: Bool {
      switch self {
      case .alertAmount, .favoriteNote, .setting, .sellerContact, .bulkPrice,
        .bulkStock, .report:
        true
      case .searchName, .marketAddress, .marketName, .everywhere, .templateName, .sellerName: false
      }
    }

    /// Maximum number of characters; further ones are not accepted.
    fileprivate var limit: Int {
      switch self {
      case .alertAmount, .bulkPrice, .bulkStock: 40
      case .searchName, .marketName, .templateName: 60
      case .everywhere: 200
      case .marketAddress, .setting: 1_000
      case .favoriteNote: FavoriteNoteRules.longest
      case .sellerName: TextLimit.sellerName.characters.upperBound
      case .sellerContact: TextLimit.contact.characters.upperBound
      case .report: Report.textLimit.characters.upperBound
      }
    }
  }

  /// Result of an answer, which the dialog shows.
  package enum Outcome: Hashable, Sendable {
    case noAmount(AmountError)
    /// A single price was typed for products in these currencies.
    case severalCurrencies([Currency])
    case noContact
    /// The text is neither an address nor a file.
    case noMarket
    /// The market is being asked.
    case asking(KnownMarket)
    /// The file does not exist; the same answer again creates it.
    case missing(KnownMarket)
    case failed(RepositoryError)
  }

  init(_ subject: Subject, _ text: String = "", follow: @escaping (String) -> Void = { _ in }) {
    self.subject = subject
    self.follow = follow
    editor = LineEditor(text, limit: subject.limit)
  }

  package func edit(_ change: (inout LineEditor) -> Void) {
    let before = editor.text
    change(&editor)
    guard editor.text != before else { return }
    let isAsking = isAsking
    if outcome != nil { outcome = nil }
    if isAsking { reply.give(nil) }
    follow(editor.text)
  }

  /// Makes the dialog for the name of a template, with a proposal.
  static func templateName(_ name: String) -> PromptModel {
    PromptModel(.templateName, String(name.prefix(Subject.templateName.limit)))
  }

  /// Answers the text; false if it is empty and must not be.
  @discardableResult package func confirm() -> Bool {
    let text = subject.mayBeEmpty ? editor.text : editor.text.trimmed
    guard subject.mayBeEmpty || !text.isEmpty else { return false }
    reply.give(text)
    return true
  }

  package func cancel() { reply.give(nil) }

  private var isAsking: Bool { if case .asking = outcome { true } else { false } }
}

extension Flow {
  /// Asks for an amount until `read` accepts the text and `refuse` returns nil; nil if the user
  /// cancels.
  func ask<Value>(
    _ prompt: PromptModel, reading read: (String) throws(AmountError) -> Value,
    refusing refuse: (Value) -> PromptModel.Outcome? = { _ in nil }
  ) async -> Value? {
    while let text = await present(prompt) {
      do throws(AmountError) {
        let value = try read(text)
        guard let refusal = refuse(value) else { return value }
        prompt.outcome = refusal
      } catch {
        prompt.outcome = .noAmount(error)
      }
    }
    return nil
  }
}
