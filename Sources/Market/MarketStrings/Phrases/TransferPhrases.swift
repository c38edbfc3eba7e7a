/// What is said of import, export, backup and a file that moves to a database.
extension Phrase {
  package static var fileTables: Phrase { .named() }
  package static var filledWith: Phrase { .named() }
  package static var importKnown: Phrase { .named() }
  package static var importRefused: Phrase { .named() }
  package static var importLine: Phrase { .named() }
  package static var importTooLong: Phrase { .named() }
  package static var importNoObject: Phrase { .named() }
  package static var importChanged: Phrase { .named() }
  package static var importNotUTF8: Phrase { .named() }
  package static var importUnknownColumn: Phrase { .named() }
  package static var importNoVersion: Phrase { .named() }
  package static var importOtherVersion: Phrase { .named() }
  package static var importGone: Phrase { .named() }
  package static var importRepeated: Phrase { .named() }
  package static var importBadQuotes: Phrase { .named() }
  package static var importColumnCount: Phrase { .named() }
  package static var importUnreadable: Phrase { .named() }
  package static var importField: Phrase { .named() }
  package static var importPictureMissing: Phrase { .named() }
  package static var importPictureUnusable: Phrase { .named() }
  package static var importPictureCut: Phrase { .named() }
  package static var exported: Phrase { .named() }
  package static var exportedWithoutPictures: Phrase { .named() }
  package static var backedUp: Phrase { .named() }
  package static var backedUpPersonal: Phrase { .named() }
  package static var movingFile: Phrase { .named() }
  package static var movingExists: Phrase { .named() }
  package static var movingIsMarket: Phrase { .named() }
  package static var movingNotAFile: Phrase { .named() }
  package static var movingNoColumns: Phrase { .named() }
  package static var movingColumnTwice: Phrase { .named() }
  package static var movingEncoding: Phrase { .named() }
  package static var movingUnknownEncoding: Phrase { .named() }
}
