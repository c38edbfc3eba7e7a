package import MarketModel

/// Pictures that are ready to be drawn; it loads only those that are wanted.
package final class PictureGallery {
  /// State of a wanted picture.
  package enum Picture {
    case ready(any DrawablePicture)
    case pending
    /// Missing, broken, or too large.
    case unavailable
  }

  /// Incremented when all pictures may have changed, so that each frame with pictures is drawn again.
  @Observed private var revision = 0
  /// Events of pictures that a frame has waited for: their arrival draws it again.
  private var arrivals: [PictureWant: ObservedEvent] = [:]

  private var pictures: [PictureWant: any DrawablePicture] = [:]
  private var queue: PictureQueue
  private var tasks: [PictureWant: Task<Void, Never>] = [:]
  private var loader: any PictureLoader
  private let maximumLoads: Int
  private let maximumBytes: Int

  /// Maximum number of such events; beyond it all are reported and dropped.
  private static let mostArrivals = 1_000

  package init(loader: any PictureLoader, maximumLoads: Int = 4, maximumBytes: Int = 24 << 20) {
    self.loader = loader
    self.maximumLoads = maximumLoads
    self.maximumBytes = maximumBytes
    queue = PictureQueue(maximumLoads: maximumLoads, maximumBytes: maximumBytes)
  }

  package func picture(for want: PictureWant) -> Picture {
    _ = revision
    if let picture = pictures[want] { return .ready(picture) }
    if queue.isBroken(want) { return .unavailable }
    let arrival = arrivals[want] ?? ObservedEvent()
    arrivals[want] = arrival
    arrival.addReader()
    return .pending
  }

  /// Sets the wanted pictures: visible ones first, then those ahead.
  package func want(_ wants: [PictureWant]) {
    if arrivals.count > Self.mostArrivals {
      for arrival in arrivals.values { arrival.notifyReaders() }
      arrivals = [:]
    }
    run(queue.want(wants))
  }

  /// Retries pictures that failed.
  package func forgetFailures() {
    revision += 1
    run(queue.forgetFailures())
  }

  /// Replaces the loader; all pictures are dropped and loaded again when wanted.
  package func use(_ loader: any PictureLoader) {
    for task in tasks.values { task.cancel() }
    tasks = [:]
    pictures = [:]
    queue = PictureQueue(maximumLoads: maximumLoads, maximumBytes: maximumBytes)
    self.loader = loader
    revision += 1
  }

  private func run(_ actions: PictureQueue.Actions) {
    for want in actions.cancels { tasks.removeValue(forKey: want)?.cancel() }
    for want in actions.loads { load(want) }
  }

  private func load(_ want: PictureWant) {
    tasks[want] = Task.immediate {
      do throws(PictureError) {
        let picture = try await loader.load(want)
        guard !Task.isCancelled else { return }
        didLoad(picture, for: want)
      } catch {
        guard !Task.isCancelled else { return }
        tasks[want] = nil
        run(queue.didFail(want))
        arrivals.removeValue(forKey: want)?.notifyReaders()
      }
    }
  }

  private func didLoad(_ picture: any DrawablePicture, for want: PictureWant) {
    tasks[want] = nil
    pictures[want] = picture
    arrivals.removeValue(forKey: want)?.notifyReaders()
    let (actions, forgotten) = queue.didLoad(want, byteCount: picture.byteCount)
    // Only pictures that are not wanted are dropped.
    for want in forgotten { pictures[want] = nil }
    run(actions)
  }
}

/// Picture with the size and form in which it is drawn; the key of the gallery.
package nonisolated struct PictureWant: Hashable, Sendable {
  /// Fitting of the picture into its box.
  package enum Fit: Hashable, Sendable {
    /// The whole picture is visible, with margins in the box.
    case whole
    /// The whole box is filled, with the picture's edges cut off.
    case cover
  }

  package let picture: Picture
  package let rendition: PictureRendition
  /// Size of the box in pixels of the drawing; its shape determines how a cell is divided.
  package let box: PixelSize
  package let fit: Fit
  /// Visible part, in pixels of the rendition; nil for all of it.
  package let part: PixelRectangle?
  /// Whether the picture is drawn faded, as for a sold-out product.
  package let isFaded: Bool

  package init(
    picture: Picture, rendition: PictureRendition, box: PixelSize, fit: Fit,
    part: PixelRectangle? = nil, isFaded: Bool = false
  ) {
    self.picture = picture
    self.rendition = rendition
    self.box = box
    self.fit = fit
    self.part = part
    self.isFaded = isFaded
  }
}

/// Picture that is ready to be drawn; its content is known to the views only.
package nonisolated protocol DrawablePicture: Sendable {
  /// Memory size in bytes.
  var byteCount: Int { get }
}

/// Port that reads, decodes and crops pictures off the main actor.
package nonisolated protocol PictureLoader: Sendable {
  /// Loads a picture.
  /// - Throws: the `PictureError` of the source or decoder; `.cancelled` if the task is cancelled.
  func load(_ want: PictureWant) async throws(PictureError) -> any DrawablePicture
}
