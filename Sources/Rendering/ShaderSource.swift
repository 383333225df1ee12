import CWaymarkShaders

/// The embedded shaders, combined with the libraries that they share.
enum ShaderSource {
    static let project = text(WM_SHADER_PROJECT)
    static let light = text(WM_SHADER_LIGHT)
    static let footprint = text(WM_SHADER_FOOTPRINT)
    static let sky = text(WM_SHADER_SKY)
    static let spriteVertex = header + project + text(WM_SHADER_SPRITE_VERTEX)
    static let spriteFragment = header + footprint + sky + text(WM_SHADER_SPRITE_FRAGMENT)
    static let meshVertex = header + light + text(WM_SHADER_MESH_VERTEX)
    static let meshFragment = header + light + footprint + sky + text(WM_SHADER_MESH_FRAGMENT)
    static let tileVertex = header + project + text(WM_SHADER_TILE_VERTEX)
    static let tileFragment = header + text(WM_SHADER_TILE_FRAGMENT)
    static let skyVertex = header + text(WM_SHADER_SKY_VERTEX)
    static let skyFragment = header + sky + text(WM_SHADER_SKY_FRAGMENT)

    /// All precisions are `highp`, because `mediump` is slower on the software rasterizer, and its pixels depend on the processor.
    private static let header = "precision highp float;\nprecision highp int;\n"

    private static func text(_ shader: wm_shader) -> String {
        var count = 0
        let bytes = wm_shader_source(shader, &count)
        return String(decoding: UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count), as: UTF8.self)
    }
}
