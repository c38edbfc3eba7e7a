internal import MarketModel

/// The photos of a form in memory: bytes that are held so that it can draw them, and work on files.
final class FormPhotoCache {
  private let renderer: any PhotoImporter
  private var shown: Set<FormPhoto.ID> = []
  /// Files that are being read or made smaller.
  private(set) var work: [FormPhoto.ID: Task<Void, Never>] = [:]
  /// The files that photos were made of.
  var paths: [FormPhoto.ID: String] = [:]

  init(_ renderer: any PhotoImporter) {
    self.renderer = renderer
  }

  /// Works on a photo until it is let go of.
  func work(on id: FormPhoto.ID, _ body: @escaping () async -> Void) {
    work[id] = Task {
      defer { work[id] = nil }
      await body()
    }
  }

  /// Reads a file and makes it fit to be sent; stops where the form has no use for it any more.
  ///
  /// `update` gets what the photo is by now, and says whether the form holds it.
  func prepare(
    _ id: FormPhoto.ID, from path: String, update: (FormPhoto.Content) -> Bool
  ) async throws(PhotoProblem) {
    let bytes = try await renderer.read(path)
    guard update(.encoding(fileBytes: bytes.count)) else { return }
    show(bytes, as: id)
    let photo = try await renderer.encode(bytes)
    guard update(.ready(photo)) else { return }
    // The file may be a hundred times as large as what is sent, which looks the same.
    show(photo.bytes, as: id)
  }

  private func show(_ bytes: [UInt8], as id: FormPhoto.ID) {
    shown.insert(id)
    renderer.show(bytes, as: id)
  }

  /// Shows photos that are ready, as those of a draft are.
  func show(_ photos: [FormPhoto]) {
    for photo in photos {
      if case .ready(let prepared) = photo.content { show(prepared.bytes, as: photo.id) }
    }
  }

  /// Lets go of all photos but these, and of the work on the others.
  func release(except kept: [FormPhoto] = []) {
    let kept = Set(kept.map(\.id))
    for (id, task) in work where !kept.contains(id) { task.cancel() }
    for id in shown where !kept.contains(id) { renderer.forget(id) }
    shown.formIntersection(kept)
    paths = paths.filter { kept.contains($0.key) }
  }
}
