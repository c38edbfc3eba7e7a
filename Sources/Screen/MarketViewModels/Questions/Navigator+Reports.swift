package import MarketModel

/// Reports of products and questions to the market's operators.
extension Navigator {
  /// Reason why nothing can be reported here; nil if it can, as far as is known.
  package var refusalToReport: Notice.Hint? {
    browser.capabilities?.hasReports == true ? nil : .noReports
  }

  /// Asks for the reason and a text, and reports a question, or where that is nil the chosen product.
  package func beginReport(of question: Question? = nil) {
    guard let chosen else { return }
    if let refusal = refusalToReport { return announce(.hint(refusal)) }
    let subject = question.map { Report.Subject.question($0.id) } ?? .product(chosen.id)
    stack.startFlow { [self] flow in
      let rows = Report.Reason.allCases.map(MenuModel.Row.reason)
      guard case .reason(let reason)? = await flow.present(MenuModel(.report, rows)),
        let text = await flow.present(PromptModel(.report(reason)))
      else { return }
      flow.dismiss()
      let author = await selling?.account.author() ?? .guest
      let report = NewReport(subject, reason, text: text)
      do throws(RepositoryError) {
        try await browser.repository.report(report, by: author)
        announce(.hint(.reported))
      } catch .questionRefused(let refusal) {
        announce(.hint(.questionRefused(refusal)))
      } catch {
        announce(.notSent(error, keepsForm: false))
      }
    }
  }
}
