import MarketModel

/// Pictures beside the imported file; each is processed once.
final class ImportedPictures {
  private let folder: PictureFolder?
  private let processor: any PictureProcessor
  /// Names under which the market stores pictures, by their names in the file.
  private var kept = BoundedCache<String, String>()
  /// Names of the pictures that were checked.
  private var checked = BoundedCache<String, Void>()
  private let fetch: PhotoFetch?
  /// Photos that were fetched for the next products, by their addresses; nil for one that failed.
  private var fetched: [String: PreparedPicture?] = [:]

  /// Maximum number of photos that are fetched at once.
  private static let fetchesAtOnce = 8

  /// `fetch` nil fetches no photos by their addresses.
  init(beside path: String, processor: any PictureProcessor, fetching fetch: PhotoFetch?) {
    self.fetch = fetch
    // Without a folder each picture is reported as missing.
    folder = try? PictureFolder(beside: path, creates: false)
    self.processor = processor
  }

  /// Records the names under which the market has stored pictures, by their names in the file.
  func remember(_ names: [String: String]) {
    for (name, known) in names { kept.remember(known, for: name) }
  }

  /// Adds new pictures to a batch, and returns the names by which the product refers to its pictures.
  /// - Throws: `.pictureMissing`; `.pictureUnusable`.
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

  /// Adds picture files to a batch, also where the market has them.
  /// - Throws: `.pictureMissing`; `.pictureUnusable`.
  func addFiles(
    _ names: [String], to batch: inout ImportBatch,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(ImportProblem.Reason) {
    for name in names where batch.pictures[name] == nil {
      batch.add(try await prepared(name), named: name)
    }
  }

  /// Checks that the market can store the pictures of a product.
  /// - Throws: `.pictureMissing`; `.pictureUnusable`.
  func check(
    _ names: [String], isolation: isolated (any Actor)? = #isolation
  ) async throws(ImportProblem.Reason) {
    for name in names where checked[name] == nil {
      _ = try await prepared(name)
      checked.remember((), for: name)
    }
  }

  /// The bytes of a picture file.
  /// - Throws: `.pictureMissing`.
  private func file(
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

  // MARK: Photos by address

  /// Adds a product's photos to a batch, and returns their names and how many failed; `next` are
  /// addresses that will be needed soon.
  func addPhotos(
    at addresses: [String], before next: [String], to batch: inout ImportBatch,
    isolation: isolated (any Actor)? = #isolation
  ) async -> (names: [String], failed: Int) {
    guard let fetch, !addresses.isEmpty else { return ([], 0) }
    func isNeeded(_ address: String) -> Bool {
      kept[address] == nil && batch.pictures[address] == nil
    }
    if addresses.contains(where: { isNeeded($0) && fetched[$0] == nil }) {
      let wanted = (addresses + next).filter(isNeeded)
      fetched = await Self.photos(at: Set(wanted), fetch, processor)
    }
    var names: [String] = []
    for address in addresses {
      if let known = kept[address] {
        names.append(known)
      } else if batch.pictures[address] != nil {
        names.append(address)
      } else if let photo = fetched[address] ?? nil {
        batch.add(photo, named: address)
        names.append(address)
      }
    }
    return (names, addresses.count - names.count)
  }

  private static func photos(
    at addresses: Set<String>, _ fetch: @escaping PhotoFetch, _ processor: any PictureProcessor
  ) async -> [String: PreparedPicture?] {
    await withTaskGroup(of: (String, PreparedPicture?).self) { group in
      var rest = addresses.sorted()[...]
      func start() {
        guard let address = rest.popFirst() else { return }
        group.addTask {
          guard let bytes = await fetch(address) else { return (address, nil) }
          let photo = try? await processor.prepare(bytes)
          return (address, photo)
        }
      }
      for _ in 0..<fetchesAtOnce { start() }
      var photos: [String: PreparedPicture?] = [:]
      for await (address, photo) in group {
        photos.updateValue(photo, forKey: address)
        start()
      }
      return photos
    }
  }
}

/// Fetches a photo by its web address, ready to be stored; nil where that fails.
package typealias PhotoFetch = @Sendable (_ address: String) async -> [UInt8]?
