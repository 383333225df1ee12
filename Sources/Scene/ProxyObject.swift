/// An object on a map that stands for data of the map, not for an overlay that a user added: a cluster, a point of interest. It is read-only,
/// and describes the picture that it was found in.
public class ProxyObject: ViewObject {}
