/// A job file for a cluster; each of its tasks runs one shard of a plan.
public struct JobFile {
    /// Where a Kubernetes job mounts the volume that all its pods share.
    public static let volume = "/results"

    /// The system that runs the tasks.
    public enum System: String, CaseIterable, Sendable {
        case slurm
        case parallel
        case kubernetes
    }

    private let command: String
    private let shards: Int
    private let out: String
    private let name: String

    /// A job of some tasks.
    ///
    /// - Parameters:
    ///   - name: the name of the job.
    ///   - command: what is split into shards: the program's path and words quoted for a shell.
    ///   - shards: how many tasks there are.
    ///   - out: the folder for the parts' results.
    public init(_ name: String, command: String, shards: Int, out: String) {
        (self.name, self.command, self.shards, self.out) = (name, command, shards, out)
    }

    /// The file's name for a system.
    public func fileName(for system: System) -> String {
        switch system {
        case .slurm: "\(name).sbatch"
        case .parallel: "\(name).parallel.sh"
        case .kubernetes: "\(name).job.yaml"
        }
    }

    /// The file's text for a system.
    public func text(for system: System) -> String {
        switch system {
        case .slurm: slurm
        case .parallel: parallel
        case .kubernetes: kubernetes
        }
    }

    /// An array job: repeat a failed task with `sbatch --array=<its number>`.
    private var slurm: String {
        """
        #!/bin/sh
        #SBATCH --job-name=\(name)
        #SBATCH --array=1-\(shards)
        #SBATCH --ntasks=1
        #SBATCH --cpus-per-task=1
        #SBATCH --requeue
        #SBATCH --output=\(name)-%a.log
        # Submit:          sbatch \(fileName(for: .slurm))
        # Repeat one part: sbatch --array=3 \(fileName(for: .slurm))
        # When all ended:  \(merge)
        set -eu
        exec \(task) \\
            --shard "${SLURM_ARRAY_TASK_ID}/\(shards)"

        """
    }

    /// A script with a job log, so that a second start repeats only what failed or is missing.
    private var parallel: String {
        """
        #!/bin/sh
        # Start:          sh \(fileName(for: .parallel))
        # Start again:    the same; parts that ended well are not repeated
        # When all ended: \(merge)
        set -eu
        exec parallel --joblog \(name).joblog --resume-failed --retries 2 "$@" \\
            \(quoted(task + " --shard {}/\(shards)")) \\
            ::: $(seq 1 \(shards))

        """
    }

    /// An Indexed Job: indices count from 0, and each failed index is repeated alone.
    private var kubernetes: String {
        let script = "exec \(task) --shard $((JOB_COMPLETION_INDEX + 1))/\(shards)"
        return """
            # Apply:          kubectl apply -f \(fileName(for: .kubernetes))
            # When all ended: \(merge)
            # Put the image that holds squall and the profile, and a volume that all nodes share,
            # in place of the two names below.
            apiVersion: batch/v1
            kind: Job
            metadata:
              name: \(name)
            spec:
              completionMode: Indexed
              completions: \(shards)
              parallelism: \(shards)
              backoffLimitPerIndex: 2
              template:
                spec:
                  restartPolicy: Never
                  containers:
                    - name: squall
                      image: squall:latest
                      command: ["/bin/sh", "-c"]
                      args:
                        - \(yaml(script))
                      resources:
                        requests:
                          cpu: "1"
                      volumeMounts:
                        - name: results
                          mountPath: \(Self.volume)
                  volumes:
                    - name: results
                      persistentVolumeClaim:
                        claimName: squall-results

            """
    }

    /// What a task runs, but for the number of its part.
    private var task: String { "\(command) --threads 1 --quiet --out \(out)" }

    /// What puts the parts together.
    private var merge: String { "squall merge \(out)/*/*-part-*-of-\(shards)" }

    private func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: "'\\''") + "'"
    }

    private func yaml(_ text: String) -> String {
        "'" + text.replacing("'", with: "''") + "'"
    }
}
