/// A job file for a cluster; each of its tasks runs one shard of a plan.
public struct JobFile: Hashable, Sendable {
    /// Where a Kubernetes job mounts the volume that all its pods share.
    public static let volume = "/results"

    /// The system that runs the tasks.
    public enum System: String, CaseIterable, Sendable {
        case slurm
        case parallel
        case kubernetes
    }

    /// The command that is split into shards, word by word.
    public let command: [String]
    /// The command with its words quoted for a shell.
    public let shellCommand: String
    /// How many tasks there are.
    public let shards: Int
    /// The folder for the parts' results.
    public let out: String
    /// The name of the job.
    public let name: String

    /// A job; its shell command has its words quoted and the program's path.
    public init(
        command: [String], shellCommand: String, shards: Int, out: String, name: String
    ) {
        self.command = command
        self.shellCommand = shellCommand
        self.shards = shards
        self.out = out
        self.name = name
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
        # When all ended:  squall merge \(out)/*/*-part-*-of-\(shards)
        set -eu
        exec \(shellCommand) --threads 1 --quiet --out \(out) \\
            --shard "${SLURM_ARRAY_TASK_ID}/\(shards)"

        """
    }

    /// A script with a job log, so that a second start repeats only what failed or is missing.
    private var parallel: String {
        """
        #!/bin/sh
        # Start:          sh \(fileName(for: .parallel))
        # Start again:    the same; parts that ended well are not repeated
        # When all ended: squall merge \(out)/*/*-part-*-of-\(shards)
        set -eu
        exec parallel --joblog \(name).joblog --resume-failed --retries 2 "$@" \\
            \(quoted(shellCommand + " --threads 1 --quiet --out \(out) --shard {}/\(shards)")) \\
            ::: $(seq 1 \(shards))

        """
    }

    /// An Indexed Job: indices count from 0, and each failed index is repeated alone.
    private var kubernetes: String {
        let script =
            "exec \(shellCommand) --threads 1 --quiet --out \(out)"
            + " --shard $((JOB_COMPLETION_INDEX + 1))/\(shards)"
        return """
            # Apply:          kubectl apply -f \(fileName(for: .kubernetes))
            # When all ended: squall merge \(out)/*/*-part-*-of-\(shards)
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

    private func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: "'\\''") + "'"
    }

    private func yaml(_ text: String) -> String {
        "'" + text.replacing("'", with: "''") + "'"
    }
}
