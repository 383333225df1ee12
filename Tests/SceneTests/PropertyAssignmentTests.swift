import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkScene

/// Which properties an assignment sets is found by their values, even if these are the defaults.
@Suite struct PropertyAssignmentTests {
    /// The properties that share a value: if one is set, so is the other.
    private static let shared = [
        ["isVisible", "isHidden"], ["captionAlign", "captionAligns"], ["points", "parts"], ["rings", "polygons"],
    ]

    @Test(arguments: OverlayType.allCases) func everyPropertyIsFoundWhenItIsSetToItsDefault(_ type: OverlayType) {
        let list = type.properties
        var count = 0
        for property in list.properties {
            if case .part = property.type { continue }
            if case .objects = property.type { continue }
            if case .refused = property.type { continue }
            let plain = list.make()
            // Copying a missing value sets nothing.
            if Self.isMissing(property, plain) { continue }
            let assignment = list.assignment { property.copy(plain, $0) }
            let names = Set(assignment.paths.map { String($0.prefix { $0 != "." }) })
            let expected = Self.shared.first { $0.contains(property.name) } ?? [property.name]
            #expect(names == Set(expected), "\(type).\(property.name): \(assignment.paths)")
            #expect(assignment.problem == nil && property.isEqual(assignment.object, plain))
            count += 1
        }
        #expect(count >= 10)
    }

    private static func isMissing(_ property: Property, _ object: AnyObject) -> Bool {
        switch property.type {
        case .number(let accessor, _): accessor.get(object) == nil
        case .boolean(let accessor): accessor.get(object) == nil
        case .position(let accessor, _): accessor.get(object) == nil
        case .color(let accessor): accessor.get(object) == nil
        default: false
        }
    }

    @Test func propertiesOfAValue() {
        let list = OverlayType.localModel.properties
        let assignment = list.assignment { ($0 as? LocalModel)?.material.diffuse = nil }
        #expect(assignment.paths == ["material.diffuse"])
        let whole = list.assignment { ($0 as? LocalModel)?.material = Material() }
        #expect(whole.paths == ["material.diffuse", "material.ambient", "material.alphaCutoff"])
        let mesh = FloatMesh()
        #expect(list.assignment { ($0 as? LocalModel)?.mesh = mesh }.paths == ["mesh"])
    }

    @Test func onlyErrorsOfAssignedValuesCount() {
        // A line without points is invalid, too.
        let list = OverlayType.polyline.properties
        #expect(list.assignment { ($0 as? Polyline)?.width = 3 }.problem == nil)
        #expect(list.assignment { ($0 as? Polyline)?.width = -1 }.problem?.path == "width")
        let other = list.assignment { ($0 as? Polyline)?.userInfo["a"] = 1 }
        #expect(other.paths.isEmpty)
    }

    @Test func listsOfClasses() {
        for type in OverlayType.allCases { #expect(PropertyList.list(of: Swift.type(of: type.makeOverlay())) === type.properties) }
        for kind in [Overlay.self, Model.self, ViewOverlay.self] as [AnyObject.Type] { #expect(PropertyList.list(of: kind) != nil) }
        #expect(PropertyList.list(of: Cluster.self) == nil)
    }
}
