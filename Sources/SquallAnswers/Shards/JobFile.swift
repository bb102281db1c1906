import SquallFormat

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

    private let command: [String]
    private let shards: Int
    private let out: String
    private let name: String
    /// True if all tasks have to run at the same time, as load generators do; none of them is
    /// repeated alone then.
    private let isTogether: Bool

    /// A job of some tasks.
    ///
    /// - Parameters:
    ///   - name: the name of the job, which needs no quoting anywhere.
    ///   - command: the command that is split into shards: the program's path and words, as they
    ///     are.
    ///   - shards: the number of tasks.
    ///   - out: the folder for the parts' results.
    ///   - isTogether: true if all tasks have to run at the same time.
    public init(
        _ name: String, command: [String], shards: Int, out: String, isTogether: Bool = false
    ) {
        (self.name, self.shards, self.out) = (name, shards, out)
        self.isTogether = isTogether
        let threads = isTogether ? [] : ["--threads", "1"]
        self.command = command + threads + ["--quiet", "--out", out]
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
        case .slurm: isTogether ? slurmTogether : slurm
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

    /// One job whose tasks `srun` starts together.
    private var slurmTogether: String {
        """
        #!/bin/sh
        #SBATCH --job-name=\(name)
        #SBATCH --ntasks=\(shards)
        #SBATCH --cpus-per-task=1
        #SBATCH --output=\(name).log
        # Submit:         sbatch \(fileName(for: .slurm))
        # When it ended:  \(merge)
        set -eu
        exec srun --kill-on-bad-exit=0 \\
            sh -c 'exec "$@" --shard "$((SLURM_PROCID + 1))/\(shards)"' \\
            squall \(task)

        """
    }

    /// A script with a job log, so that a second start repeats only what failed or is missing.
    ///
    /// GNU parallel replaces `{}`, `{1}` or `{= =}` wherever they stand, quoted or not; so it is
    /// shown nothing but this script and a number, and the script has the words.
    private var parallel: String {
        let again = isTogether ? "all parts are" : "parts that ended well are not"
        let options =
            isTogether ? "--jobs 0" : "--joblog \(name).joblog --resume-failed --retries 2"
        return """
            #!/bin/sh
            # Start:          sh \(fileName(for: .parallel))
            # Start again:    the same; \(again) repeated
            # When all ended: \(merge)
            set -eu
            if [ "${1-}" = --part ]; then
                exec \(task) \\
                    --shard "$2/\(shards)"
            fi
            SQUALL_JOB=$0
            export SQUALL_JOB
            exec parallel \(options) \\
                --env SQUALL_JOB "$@" 'sh "$SQUALL_JOB" --part {}' ::: $(seq 1 \(shards))

            """
    }

    /// An Indexed Job: indices count from 0, and each failed index is repeated alone.
    ///
    /// The words are arguments of their own, which no shell reads again.
    private var kubernetes: String {
        let script = #"exec "$@" --shard "$((JOB_COMPLETION_INDEX + 1))/\#(shards)""#
        let words = ([script, "squall"] + command).map {
            "            - \(yaml($0))"
        }
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
              backoffLimitPerIndex: \(isTogether ? 0 : 2)
              template:
                spec:
                  restartPolicy: Never
                  containers:
                    - name: squall
                      image: squall:latest
                      command: ["/bin/sh", "-c"]
                      args:
            \(words.joined(separator: "\n"))
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

    /// The command of a task, without the number of its part.
    private var task: String { command.map(\.quotedForScript).joined(separator: " ") }

    /// The command that merges the parts, on one line.
    private var merge: String {
        "squall merge \(out == out.visible ? out.quotedForScript : out.quotedForShell)"
            + "/*/*-part-*-of-\(shards)"
    }

    /// A word of a container's arguments: YAML reads JSON's strings, and Kubernetes `$$` as `$`,
    /// which it otherwise takes for a variable's beginning.
    private func yaml(_ word: String) -> String {
        JSONDocument.line(word.replacing("$", with: "$$"))
    }
}
