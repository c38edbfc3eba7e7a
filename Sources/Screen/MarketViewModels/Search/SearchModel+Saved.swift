internal import MarketModel

extension SearchModel {
  /// Opens the list of saved searches; the chosen one replaces the line.
  package func openSaved(on navigator: Navigator) {
    guard navigator.program.personal != nil else {
      return navigator.announce(.hint(.nothingSaved))
    }
    navigator.openPersonalList(.searches) { [self] in replace(with: $0.text) }
  }

  /// Asks for a name and saves the line.
  package func beginSaving(on navigator: Navigator) {
    guard let personal = navigator.program.personal else {
      return navigator.announce(.hint(.nothingSaved))
    }
    guard !lineToSave.isEmpty else { return navigator.announce(.hint(.nothingToSave)) }
    let line = lineToSave
    navigator.stack.startFlow { flow in
      guard let name = await flow.present(PromptModel(.searchName(line: line))) else {
        return
      }
      Task.immediate {
        let isSaved = await personal.save(SavedSearch(name: name, text: line))
        navigator.announce(.hint(isSaved ? .searchSaved : .searchNotSaved))
      }
    }
  }
}
