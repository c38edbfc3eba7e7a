import MarketModel

/// The pictures beside a file that is being read; each is made fit once.
final class ImportedPictures {
  private let folder: PictureFolder?
  private let processor: any PictureProcessor
  /// By which names the market keeps those that it has.
  private var kept = RecentValues<String, String>()

  init(beside path: String, processor: any PictureProcessor) {
    // Without a folder each picture is missing by itself.
    folder = try? PictureFolder(beside: path, creates: false)
    self.processor = processor
  }

  /// Takes note of pictures that the market has taken.
  func remember(_ names: [String: String]) {
    for (name, known) in names { kept.remember(known, for: name) }
  }

  /// The names by which a product refers to its pictures, after those that are new were added to a
  /// batch.
  func add(
    _ names: [String], to batch: inout ImportBatch,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(ImportProblem.Reason) -> [String] {
    var result: [String] = []
    for name in names {
      if let known = kept[name] {
        result.append(known)
      } else {
        if batch.pictures[name] == nil { batch.add(try await prepared(name), named: name) }
        result.append(name)
      }
    }
    return result
  }

  /// The bytes of a picture file.
  func file(
    _ name: String, isolation: isolated (any Actor)? = #isolation
  ) async throws(ImportProblem.Reason) -> [UInt8] {
    guard let bytes = folder?.read(name) else { throw .pictureMissing(name) }
    return bytes
  }

  private func prepared(
    _ name: String, isolation: isolated (any Actor)? = #isolation
  ) async throws(ImportProblem.Reason) -> PreparedPicture {
    let bytes = try await file(name)
    do {
      return try await processor.prepare(bytes)
    } catch {
      throw .pictureUnusable(name)
    }
  }
}
