internal import MarketModel

/// Photos of a form in order, the first of which is the thumbnail; a pure value.
///
/// The selection can be behind the last photo, where another one is added.
package struct PhotoList: Hashable, Sendable {
  package private(set) var photos: [FormPhoto]
  package private(set) var selected: Int

  package init(_ photos: [FormPhoto] = []) {
    self.photos = photos
    selected = photos.count
  }

  package var hasRoom: Bool { photos.count < FormRules.photoCount.upperBound }

  /// The selected photo; nil behind the last one.
  package var selectedPhoto: FormPhoto? {
    photos.indices.contains(selected) ? photos[selected] : nil
  }

  /// Whether a file is being read or reduced.
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

  /// Adds a photo whose file is to be read; false if there is no room.
  package mutating func add(_ id: FormPhoto.ID, name: String) -> Bool {
    guard hasRoom else { return false }
    photos.append(FormPhoto(id: id, name: name, content: .reading))
    selected = photos.count
    return true
  }

  /// Updates the state of a photo; does nothing for a removed one.
  package mutating func update(_ id: FormPhoto.ID, to content: FormPhoto.Content) {
    guard let index = photos.firstIndex(where: { $0.id == id }) else { return }
    photos[index].content = content
  }

  package mutating func remove(_ id: FormPhoto.ID) {
    guard let index = photos.firstIndex(where: { $0.id == id }) else { return }
    photos.remove(at: index)
    if selected > index { selected -= 1 }
  }

  /// Whether the selected photo can be moved by a distance.
  package func mayMoveSelected(by distance: Int) -> Bool {
    photos.indices.contains(selected) && photos.indices.contains(selected + distance)
  }

  /// Moves the selected photo and the selection.
  package mutating func moveSelected(by distance: Int) {
    guard mayMoveSelected(by: distance) else { return }
    photos.insert(photos.remove(at: selected), at: selected + distance)
    selected += distance
  }

  /// Makes the selected photo the cover: moves it to the front, and the selection with it.
  package mutating func makeSelectedCover() { moveSelected(by: -selected) }

  /// Whether another photo has the content of one that is ready.
  func hasTwin(of id: FormPhoto.ID) -> Bool {
    guard case .ready(let photo) = photos.first(where: { $0.id == id })?.content else {
      return false
    }
    return photos.contains { other in
      guard other.id != id, case .ready(let twin) = other.content else { return false }
      return twin.bytes == photo.bytes
    }
  }

  /// Files to send, in order, without pictures of the product.
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
