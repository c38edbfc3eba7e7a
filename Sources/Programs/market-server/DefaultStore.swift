import Posix

/// The market file that all programs of the market open unless told otherwise (XDG Base Directory
/// Specification).
enum DefaultStore {
  /// `$XDG_DATA_HOME/market/market.sqlite`, in a folder that is there and its owner's alone.
  static var path: String {
    let folder = BaseFolders(of: "market").data
    // What is missing in the end shows when the file is opened.
    try? Folder.make(folder)
    return folder + "/market.sqlite"
  }
}
