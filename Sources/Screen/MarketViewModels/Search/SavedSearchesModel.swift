package import MarketModel
import Observation

/// The list of searches that have a name: one is opened, or forgotten.
@Observable
package final class SavedSearchesModel: Layer {
  /// By their names; nil until they have been read.
  package private(set) var searches: [SavedSearch]?
  package private(set) var selected = 0

  private let personal: any PersonalDataStore
  private let choose: (SavedSearch) -> Void

  /// - Parameters:
  ///   - personal: where they are kept.
  ///   - choose: takes the search that was chosen.
  init(personal: any PersonalDataStore, choose: @escaping (SavedSearch) -> Void) {
    self.personal = personal
    self.choose = choose
    Task.immediate { [weak self] in
      let searches = await personal.savedSearches()
      self?.searches = searches
    }
  }

  package func move(by distance: Int) {
    selected = (selected + distance).clamped(to: 0...max(0, (searches?.count ?? 0) - 1))
  }

  /// Takes the selected search; false where there is none.
  package func chooseSelected() -> Bool {
    guard let searches, searches.indices.contains(selected) else { return false }
    choose(searches[selected])
    return true
  }

  /// Forgets the selected one.
  package func forgetSelected() {
    guard let name = searches?.dropFirst(selected).first?.name else { return }
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
    navigator.stack.push(
      SavedSearchesModel(personal: personal) { [weak self] in self?.replace(with: $0.text) })
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
