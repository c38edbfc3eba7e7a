package import MarketModel
import Observation

/// The list of searches that have a name: one is opened, or forgotten.
@Observable
package final class SavedSearchesModel: Dialog {
  package let reply = Reply<SavedSearch>()
  /// By their names; nil until they have been read.
  package private(set) var searches: [SavedSearch]?
  package private(set) var selected = 0

  private let personal: any PersonalDataStore

  init(_ personal: any PersonalDataStore) {
    self.personal = personal
    Task.immediate { [weak self] in
      let searches = await personal.savedSearches()
      self?.searches = searches
    }
  }

  package func move(by distance: Int) {
    selected = (selected + distance).clamped(to: 0...max(0, (searches?.count ?? 0) - 1))
  }

  /// The selected search; nil where there is none.
  package var selectedSearch: SavedSearch? { searches?.dropFirst(selected).first }

  package func choose() { if let selectedSearch { reply.give(selectedSearch) } }

  /// Forgets the selected one.
  package func forgetSelected() {
    guard let name = selectedSearch?.name else { return }
    searches?.remove(at: selected)
    move(by: 0)
    Task.immediate { [personal] in await personal.forgetSearch(named: name) }
  }
}

extension SearchModel {
  /// Opens the list of saved searches, from which one comes into the line.
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

  /// Asks for a name under which the line is kept.
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
