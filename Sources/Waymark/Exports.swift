@_exported import WaymarkGeo
@_exported import WaymarkImaging
@_exported import WaymarkInteraction
@_exported import WaymarkScene
@_exported import WaymarkSceneFiles
@_exported import WaymarkTiles
@_exported import enum WaymarkGPU.Device
@_exported import struct WaymarkGPU.GPUError
@_exported import struct WaymarkLayout.Inspection
@_exported import enum WaymarkLayout.Reason
@_exported import enum WaymarkText.FontError
@_exported import enum WaymarkText.FontSource
@_exported import enum WaymarkText.FontWeight
@_exported import enum WaymarkVectorTiles.MapRole
