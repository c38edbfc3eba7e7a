internal import MarketModel

extension SellingModel.FinishedEdit {
  /// The change that sends the old values back; pictures that are gone from the market stay gone.
  func undoing() -> ProductPatch {
    var form = ProductForm(.edit(after), capabilities: .full)
    let old = ProductForm(.edit(before), capabilities: .full)
    let canRestorePictures = Set(before.pictures).isSubset(of: after.pictures)
    for field in form.fields where field != .pictures || canRestorePictures {
      form.take(field, from: old)
    }
    return form.patch()
  }
}
