/// What is said where products are registered, edited and deleted.
extension Phrase {
  package static var formAddPhoto: Phrase { .named() }
  package static var formPhotosHint: Phrase { .named() }
  package static var formPhotoKept: Phrase { .named() }
  package static var formThumbnail: Phrase { .named() }
  package static var titleRegistration: Phrase { .named() }
  package static var titleEdit: Phrase { .named() }
  package static var titleDeletion: Phrase { .named() }
  package static var titleUndo: Phrase { .named() }
  package static var problemMissing: Phrase { .named() }
  package static var problemNoPhoto: Phrase { .named() }
  package static var problemNotANumber: Phrase { .named() }
  package static var problemNotText: Phrase { .named() }
  package static var problemNotAChoice: Phrase { .named() }
  package static var problemNotPhotos: Phrase { .named() }
  package static var problemTooShort: Phrase { .named() }
  package static var problemTooLong: Phrase { .named() }
  package static var problemTooMany: Phrase { .named() }
  package static var problemNegative: Phrase { .named() }
  package static var problemAbovePrice: Phrase { .named() }
  static var problemAmbiguous: Phrase { .named() }
  static var problemDecimals: Phrase { .named() }
  static var problemOtherCurrency: Phrase { .named() }
  static var problemNoAmount: Phrase { .named() }
  static var problemTooLarge: Phrase { .named() }
  package static var problemNotWhole: Phrase { .named() }
  package static var problemCurrency: Phrase { .named() }
  package static var problemCurrencyOf: Phrase { .named() }
  package static var problemRefused: Phrase { .named() }
  package static var photoNotFound: Phrase { .named() }
  package static var photoUnreadable: Phrase { .named() }
  package static var photoNotAFile: Phrase { .named() }
  package static var photoNotAPicture: Phrase { .named() }
  package static var photoUnusable: Phrase { .named() }
  package static var photoTooLarge: Phrase { .named() }
  package static var photoCount: Phrase { .named() }
  package static var sellerNameTitle: Phrase { .named() }
  package static var draftsTitle: Phrase { .named() }
  package static var draftUnnamed: Phrase { .named() }
  package static var draftNew: Phrase { .named() }
  package static var draftOfRegistration: Phrase { .named() }
  package static var draftOfEdit: Phrase { .named() }
  package static var sending: Phrase { .named() }
  package static var answerSend: Phrase { .named() }
}
