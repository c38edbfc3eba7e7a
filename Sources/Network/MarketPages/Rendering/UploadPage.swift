package import MarketStrings
package import SafeTextKit

/// HTML page on which a telephone chooses and sends photos for a form on another screen.
package struct UploadPage {
  /// Content between title and footnote.
  package enum State: Hashable, Sendable {
    /// Photos can be sent; those already received are listed.
    case open([Photo])
    /// Another telephone opened the page first, and the person at the form is asked.
    case asking
    /// The page is closed, or its address wrong.
    case closed
    /// A request was refused, for this reason.
    case refused(Phrase)
  }

  /// Photo that the form was sent.
  package struct Photo: Hashable, Sendable {
    package let name: SafeText
    /// Whether the form has it; nil while that is open.
    package let isTaken: Bool?

    package init(name: SafeText, isTaken: Bool?) {
      self.name = name
      self.isTaken = isTaken
    }
  }

  private let state: State
  private let strings: Strings
  /// Whether photos are sent without encryption.
  private let isPlain: Bool
  /// Prefix of the addresses of style and script.
  private let root: String

  package init(_ state: State, _ strings: Strings, isPlain: Bool, below root: String = "") {
    (self.state, self.strings, self.isPlain, self.root) = (state, strings, isPlain, root)
  }

  /// Content security policy: own style and script, previews of chosen photos, and sending to the page
  /// itself.
  package static let policy =
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' blob:; "
    + "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

  /// HTML document in UTF-8.
  package var bytes: [UInt8] { document.bytes }

  /// Text of a photo's state, also for the script.
  package static func text(of photo: Photo, _ strings: Strings) -> SafeText {
    switch photo.isTaken {
    case true?: strings[.uploadTaken]
    case false?: strings[.uploadNotTaken]
    case nil: strings[.uploadWaiting]
    }
  }

  private var document: HTML {
    """
    <!doctype html>
    <html lang="\(SafeText(strings.language.rawValue))">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="dark light">
    <meta name="robots" content="noindex">
    \(state == .asking ? "<meta http-equiv=\"refresh\" content=\"3\">\n" : HTML.empty)\
    <title>\(strings[.uploadTitle]) · OpenMarket</title>
    <link rel="stylesheet" href="\(PageAddress(.style, below: root))">
    <link rel="icon" type="image/svg+xml" href="\(PageAddress(.icon, below: root))">
    <script src="\(PageAddress(.uploadScript, below: root))" defer></script>
    </head>
    <body>
    <header class="bar"><span class="brand">OpenMarket</span> <span class="place">\(strings[.uploadTitle])</span></header>
    <main id="content" class="upload">
    \(main)\(isPlain ? "<p class=\"note\">\(strings[.uploadPlain])</p>\n" : HTML.empty)</main>
    </body>
    </html>

    """
  }

  private var main: HTML {
    switch state {
    case .open(let photos): form + received(photos)
    case .asking: notice(.uploadAsking)
    case .closed: notice(.uploadClosed)
    case .refused(let reason): notice(reason) + form
    }
  }

  private func notice(_ phrase: Phrase) -> HTML { "<p role=\"alert\">\(strings[phrase])</p>\n" }

  private var form: HTML {
    """
    <form method="post" enctype="multipart/form-data" data-sending="\(strings[.uploadSending])" \
    data-failed="\(strings[.uploadFailed])">
    <p>\(strings[.uploadHelp])</p>
    <label for="photos">\(strings[.uploadChoose])</label>
    <input id="photos" name="photos" type="file" accept="image/jpeg,image/png,image/webp" multiple required>
    <ul id="chosen"></ul>
    <button>\(strings[.uploadSend])</button>
    </form>

    """
  }

  private func received(_ photos: [Photo]) -> HTML {
    let items: [HTML] = photos.map {
      "<li>\(HTML.isolated($0.name)) <b>\(Self.text(of: $0, strings))</b></li>"
    }
    return "<ul id=\"received\" aria-live=\"polite\">\(items)</ul>\n"
  }
}
