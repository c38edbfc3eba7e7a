internal import MarketModel

/// Photos of a form in memory: their bytes for the gallery, and tasks that read files.
final class FormPhotoCache {
  /// Source of a photo's bytes.
  enum Source {
    case path(String)
    case bytes([UInt8])
  }

  private let renderer: any PhotoImporter
  private var shown: Set<FormPhoto.ID> = []
  /// Tasks that read and reduce files.
  private(set) var work: [FormPhoto.ID: Task<Void, Never>] = [:]
  /// Paths of the files of photos.
  var paths: [FormPhoto.ID: String] = [:]

  init(_ renderer: any PhotoImporter) {
    self.renderer = renderer
  }

  /// Runs a task for a photo, until `release` cancels it.
  func work(on id: FormPhoto.ID, _ body: @escaping () async -> Void) {
    work[id] = Task {
      defer { work[id] = nil }
      await body()
    }
  }

  /// Reads a photo and reduces it for sending, unless the form has removed the photo.
  ///
  /// `update` gets each new state of the photo and returns whether the form still has it.
  /// - Throws: what `read(_:)` and `encode(_:)` of `PhotoImporter` throw.
  func prepare(
    _ id: FormPhoto.ID, from source: Source, update: (FormPhoto.Content) -> Bool
  ) async throws(PhotoProblem) {
    let bytes: [UInt8]
    switch source {
    case .path(let path): bytes = try await renderer.read(path)
    case .bytes(let received): bytes = received
    }
    let isShown = renderer.canShow(bytes)
    guard update(.encoding(fileBytes: bytes.count, isShown: isShown)) else { return }
    if isShown { show(bytes, as: id) }
    let photo = try await renderer.encode(bytes)
    guard update(.ready(photo)) else { return }
    // The file may be a hundred times larger than the reduced photo, which looks the same.
    show(photo.bytes, as: id)
  }

  private func show(_ bytes: [UInt8], as id: FormPhoto.ID) {
    shown.insert(id)
    renderer.show(bytes, as: id)
  }

  /// Shows photos that are ready, as those of a draft.
  func show(_ photos: [FormPhoto]) {
    for photo in photos {
      if case .ready(let prepared) = photo.content { show(prepared.bytes, as: photo.id) }
    }
  }

  /// Releases all photos but `kept`, and cancels their tasks.
  func release(except kept: [FormPhoto] = []) {
    let kept = Set(kept.map(\.id))
    for (id, task) in work where !kept.contains(id) { task.cancel() }
    for id in shown where !kept.contains(id) { renderer.forget(id) }
    shown.formIntersection(kept)
    paths = paths.filter { kept.contains($0.key) }
  }
}
