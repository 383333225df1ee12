@_exported import WaymarkGeo
@_exported import WaymarkImaging
@_exported import WaymarkInteraction
@_exported import WaymarkScene
@_exported import WaymarkSceneFiles
@_exported import struct WaymarkLayout.Inspection
@_exported import enum WaymarkLayout.Reason
