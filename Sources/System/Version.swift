/// The version of Waymark. A helper process of another version is refused.
package let libraryVersion = "0.1.0"
