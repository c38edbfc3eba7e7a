internal import MarketModel

/// The photos of a form in order, the first of which is the thumbnail: a pure machine.
///
/// The selection may also rest on the place behind the last photo, where another one is added.
package struct PhotoList: Hashable, Sendable {
  package private(set) var photos: [FormPhoto]
  package private(set) var selected: Int

  package init(_ photos: [FormPhoto] = []) {
    self.photos = photos
    selected = photos.count
  }

  package var hasRoom: Bool { photos.count < FormRules.photoCount.upperBound }

  /// The selected photo; nil on the place for another one.
  package var selectedPhoto: FormPhoto? {
    photos.indices.contains(selected) ? photos[selected] : nil
  }

  /// Whether a file is still being read or made smaller.
  package var isBusy: Bool {
    photos.contains { photo in
      switch photo.content {
      case .reading, .encoding: true
      case .kept, .ready: false
      }
    }
  }

  package mutating func select(_ index: Int) {
    selected = index.clamped(to: 0...photos.count)
  }

  /// Adds a photo that is to be read; false where there is no room.
  package mutating func add(_ id: FormPhoto.ID, name: String) -> Bool {
    guard hasRoom else { return false }
    photos.append(FormPhoto(id: id, name: name, content: .reading))
    selected = photos.count
    return true
  }

  /// Notes how far a photo has come; one that was removed meanwhile stays away.
  package mutating func update(_ id: FormPhoto.ID, to content: FormPhoto.Content) {
    guard let index = photos.firstIndex(where: { $0.id == id }) else { return }
    photos[index].content = content
  }

  package mutating func remove(_ id: FormPhoto.ID) {
    guard let index = photos.firstIndex(where: { $0.id == id }) else { return }
    photos.remove(at: index)
    if selected > index { selected -= 1 }
  }

  /// Whether the selected photo has a place that far away.
  package func mayMoveSelected(by distance: Int) -> Bool {
    photos.indices.contains(selected) && photos.indices.contains(selected + distance)
  }

  /// Moves the selected photo, and the selection with it.
  package mutating func moveSelected(by distance: Int) {
    guard mayMoveSelected(by: distance) else { return }
    photos.insert(photos.remove(at: selected), at: selected + distance)
    selected += distance
  }

  /// The files to send, in order; those of the product are not among them.
  var files: [[UInt8]] {
    photos.compactMap { photo in
      if case .ready(let prepared) = photo.content { prepared.bytes } else { nil }
    }
  }

  /// The list as a change of the product's pictures.
  var elements: [ProductPatch.Pictures.Element] {
    photos.compactMap { photo in
      switch photo.content {
      case .kept(let picture): .kept(picture)
      case .ready(let prepared): .new(prepared.bytes)
      case .reading, .encoding: nil
      }
    }
  }
}
