import WaymarkScene
import WaymarkSceneFiles

extension BaseScene {
    /// Applies a job's changes; the caller reverts them.
    func change(_ job: BatchJob) throws(Failure) -> ChangedScene {
        do throws(SceneError) {
            let change: ScenePatch
            do throws(SceneFileError) {
                change = try ScenePatch(job.value, without: BatchJob.keys)
            } catch {
                throw SceneError.invalid(error)
            }
            return try self.change(change)
        } catch {
            throw Failure(error, root: job.value.path)
        }
    }

    /// The inspection of a job's picture, which is not drawn, and the warnings from reading the job.
    package func inspection(
        of job: BatchJob, listsBaseMapSymbols: Bool = false, fontSource: FontSource
    ) throws(Failure) -> (inspection: Inspection, warnings: [Diagnostic]) {
        let scene = try change(job)
        defer { takeBack() }
        try scene.setView(fontSource)
        do throws(RenderError) {
            return (try scene.mapView.inspection(listsBaseMapSymbols: listsBaseMapSymbols), scene.warnings)
        } catch {
            throw Failure(error, job.output)
        }
    }
}

extension ChangedScene {
    /// Sets the map's fonts, and its camera if that is fitted.
    func setView(_ fontSource: FontSource) throws(Failure) {
        mapView.fontSource = fontSource
        do throws(PropertyError) {
            if let fit { mapView.camera = try mapView.camera(fitting: fit) }
        } catch {
            throw Failure(path: error.path, problem: error.problem)
        }
    }
}
