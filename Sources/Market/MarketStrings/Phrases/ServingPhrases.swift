/// What the server is told and says.
extension Phrase {
  package static var serveAbout: Phrase { .named() }
  package static var serveListen: Phrase { .named() }
  package static var serveStore: Phrase { .named() }
  package static var serveAPI: Phrase { .named() }
  package static var servePublicURL: Phrase { .named() }
  package static var serveNoWeb: Phrase { .named() }
  package static var serveSSHAddress: Phrase { .named() }
  package static var serveTrustProxy: Phrase { .named() }
  package static var serveQuota: Phrase { .named() }
  package static var serveRate: Phrase { .named() }
  package static var serveWatchers: Phrase { .named() }
  package static var serveWatchersPerAddress: Phrase { .named() }
  package static var serveLanguage: Phrase { .named() }
  package static var serveCheck: Phrase { .named() }
  package static var serveStoreFile: Phrase { .named() }
  package static var serveInsecurePassword: Phrase { .named() }
  package static var serveWait: Phrase { .named() }
  package static var serveDrain: Phrase { .named() }
  package static var checkSilent: Phrase { .named() }
  package static var checkOther: Phrase { .named() }
  package static var checkReady: Phrase { .named() }
  package static var checkNotReady: Phrase { .named() }
  package static var serveTitle: Phrase { .named() }
}
