extension BindingTable where View: LayerView {
  /// Takes a view's rows, of which those without a heading of the help stand under `group`; the way to
  /// the palette comes with every table.
  package convenience init(_ rows: [Binding<View>], group: BindingGroup = .here) {
    self.init(all: rows + SharedBindings.palette(), group: group)
  }
}
