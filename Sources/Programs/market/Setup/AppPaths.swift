import Posix

/// Paths of the program's files and folders.
nonisolated struct AppPaths {
  private let folders: BaseFolders

  init(environment: (String) -> String? = Environment.value) {
    folders = BaseFolders(of: "market", environment: environment)
  }

  /// Folder of the default store.
  var data: String { folders.data }
  /// Folder of settings and seller accounts.
  var config: String { folders.config }
  /// Folder of drafts and the session state.
  var state: String { folders.state }
  /// Folder with one folder of drafts for each market.
  var drafts: String { state + "/drafts" }
  var home: String { folders.home }

  var defaultStore: String { data + "/market.sqlite" }
  /// Personal file: favorites, searches and history.
  var personal: String { data + "/personal.sqlite" }
  var settings: String { config + "/settings.json" }
  /// Cache of responses from servers.
  var seen: String { folders.cache + "/seen.sqlite" }
}
