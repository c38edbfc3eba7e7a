internal import MarketModel

/// Full-window view of the detail's pictures, with zoom and slide show.
package final class PictureModel: Layer {
  package let detail: DetailModel
  @Observed package private(set) var zoom = PictureZoom()
  /// Whether the slide show runs.
  @Observed package private(set) var isPlaying = false
  /// Picture that was drawn last; it stays until the next one is loaded.
  ///
  /// Nil before the first.
  package private(set) var lastReady: PictureWant?

  private let clock: any Clock<Duration>
  private var player: Task<Void, Never>?
  /// Whether the current key has stopped the slide show.
  package private(set) var hasStopped = false

  /// Time for which the slide show shows each picture.
  package static let playingTime = Duration.seconds(3)

  package init(detail: DetailModel, clock: any Clock<Duration>) {
    self.detail = detail
    self.clock = clock
  }

  // MARK: Turning

  package func showNextPicture() { showPicture(at: detail.pictureIndex + 1) }

  package func showPreviousPicture() { showPicture(at: detail.pictureIndex - 1) }

  package func showPicture(at index: Int) {
    zoom = PictureZoom()
    detail.showPicture(at: index)
  }

  // MARK: Enlarging

  /// Zooms in by a step, up to the picture's own pixels.
  package func enlarge(_ view: PictureZoom.Surroundings) { zoom.enlarge(view) }

  package func reduce() { zoom.reduce() }

  /// Shows the whole picture.
  package func showWhole() { zoom = PictureZoom() }

  /// Moves the visible part of an enlarged picture; -1 is left or up, 1 right or down.
  package func move(columns: Int, rows: Int, _ view: PictureZoom.Surroundings) {
    zoom.move(columns: columns, rows: rows, view)
  }

  // MARK: Playing

  /// Starts the slide show, which repeats until the next key.
  package func play() {
    guard !isPlaying, !hasStopped, detail.pictures.count > 1 else { return }
    zoom = PictureZoom()
    isPlaying = true
    player = Task.immediate {
      while true {
        try? await clock.sleep(for: Self.playingTime)
        guard !Task.isCancelled else { return }
        showPicture(at: (detail.pictureIndex + 1) % max(1, detail.pictures.count))
      }
    }
  }

  package func stop() {
    player?.cancel()
    player = nil
    if isPlaying { isPlaying = false }
  }

  package func didPressKey() {
    hasStopped = isPlaying
    stop()
  }

  package func didClose() { stop() }

  package func refresh() { detail.reload() }

  /// Called when a picture is drawn.
  package func didSee(_ want: PictureWant) { lastReady = want }
}

extension PictureModel {
  /// Opens the view, or announces that there is no picture.
  package static func open(on navigator: Navigator) {
    let detail = navigator.browser.detail
    guard !detail.pictures.isEmpty else { return navigator.announce(.hint(.noPicture)) }
    navigator.stack.push(PictureModel(detail: detail, clock: navigator.clock))
  }
}
