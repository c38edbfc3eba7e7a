package import MarketModel

/// List of saved searches, to open or remove one.
package final class SavedSearchesModel: Dialog, ListModel {
  package let reply = Reply<SavedSearch>()
  package let list = SectionedList<Never, SavedSearch>()
  /// Sorted by name.
  @Observed package private(set) var sections: [ListSection<Never, SavedSearch>] = []

  private let personal: any PersonalDataStore

  init(_ personal: any PersonalDataStore) {
    self.personal = personal
    Task.immediate { [weak self] in
      let searches = await personal.savedSearches()
      self?.show(searches)
    }
  }

  private func show(_ searches: [SavedSearch]) {
    sections = [ListSection(searches)]
    list.show(sections)
  }

  package var holdsKeys: Bool { !list.isRead }

  package func choose(_ search: SavedSearch) { reply.give(search) }

  /// Removes the selected search.
  package func forgetSelected() {
    guard let name = list.selected?.name else { return }
    show(sections.flatMap(\.items).filter { $0.name != name })
    Task.immediate { [personal] in await personal.forgetSearch(named: name) }
  }
}

extension SearchModel {
  /// Opens the list of saved searches; the chosen one replaces the line.
  package func openSaved(on navigator: Navigator) {
    guard let personal = navigator.program.personal else {
      return navigator.announce(.hint(.nothingSaved))
    }
    navigator.stack.begin { [self] flow in
      if let search = await flow.present(SavedSearchesModel(personal)) {
        replace(with: search.text)
      }
    }
  }

  /// Asks for a name and saves the line.
  package func beginSaving(on navigator: Navigator) {
    guard let personal = navigator.program.personal else {
      return navigator.announce(.hint(.nothingSaved))
    }
    guard !lineToSave.isEmpty else { return navigator.announce(.hint(.nothingToSave)) }
    let line = lineToSave
    navigator.stack.begin { flow in
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
