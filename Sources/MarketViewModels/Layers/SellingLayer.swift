/// Everything that selling lays over the products, as one layer.
package final class SellingLayer: Layer {
  package let selling: SellingModel

  init(_ selling: SellingModel) {
    self.selling = selling
  }
}
