/// The detail's pictures over the whole window, one at a time.
package final class PictureModel: Layer {
  package let detail: DetailModel

  package init(detail: DetailModel) {
    self.detail = detail
  }
}
