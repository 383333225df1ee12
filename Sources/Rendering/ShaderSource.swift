import CWaymarkShaders

/// The embedded shaders, combined with the libraries that they share.
enum ShaderSource {
    static let project = text { wm_shader_source(WM_SHADER_PROJECT, $0) }
    static let light = text { wm_shader_source(WM_SHADER_LIGHT, $0) }
    static let footprint = text { wm_shader_source(WM_SHADER_FOOTPRINT, $0) }
    static let sky = text { wm_shader_source(WM_SHADER_SKY, $0) }
    static let spriteVertex = header + project + text { wm_shader_source(WM_SHADER_SPRITE_VERTEX, $0) }
    static let spriteFragment = header + footprint + sky + text { wm_shader_source(WM_SHADER_SPRITE_FRAGMENT, $0) }
    static let meshVertex = header + light + text { wm_shader_source(WM_SHADER_MESH_VERTEX, $0) }
    static let meshFragment = header + light + footprint + sky + text { wm_shader_source(WM_SHADER_MESH_FRAGMENT, $0) }
    static let tileVertex = header + project + text { wm_shader_source(WM_SHADER_TILE_VERTEX, $0) }
    static let tileFragment = header + text { wm_shader_source(WM_SHADER_TILE_FRAGMENT, $0) }
    static let skyVertex = header + text { wm_shader_source(WM_SHADER_SKY_VERTEX, $0) }
    static let skyFragment = header + sky + text { wm_shader_source(WM_SHADER_SKY_FRAGMENT, $0) }

    /// All precisions are `highp`, because `mediump` is slower on the software rasterizer, and its pixels depend on the processor.
    private static let header = "precision highp float;\nprecision highp int;\n"

    private static func text(_ source: (UnsafeMutablePointer<Int>) -> UnsafePointer<CChar>?) -> String {
        var count = 0
        let bytes = source(&count)
        return String(decoding: UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count), as: UTF8.self)
    }
}
