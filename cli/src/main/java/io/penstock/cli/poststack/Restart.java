package io.penstock.cli.poststack;

import io.penstock.comm.Communicator;
import io.penstock.solver.Checkpoints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where the job saves how far it has come, and whether it goes on from there.
 *
 * @param folder the folder of the checkpoints, null when none are written
 * @param every after how many iterations one is written
 * @param resumes whether to go on from the newest ones
 */
record Restart(@Nullable Path folder, int every, boolean resumes) {
    private static final String JOB = "job.txt";

    Restart {
        if (every < 1) throw new IllegalArgumentException("--checkpoint-every is " + every + "; expected 1 or more");
        if (resumes && folder == null)
            throw new IllegalArgumentException(
                    "--resume needs the folder to resume from; give it with --checkpoint DIR");
    }

    /** The checkpoints of one inversion. */
    Optional<Checkpoints> of(Inversion inversion, Communicator ranks) {
        return folder == null ? Optional.empty() : Optional.of(Checkpoints.in(folder.resolve(inversion.key()), ranks));
    }

    /**
     * Sees to it that the checkpoints are of this job: writes down what it does, or compares it with what was written.
     *
     * @throws IllegalArgumentException when the checkpoints to resume are of a job that did something else
     * @throws IOException when the folder cannot be used
     */
    void check(Configuration how) throws IOException {
        if (folder == null) return;
        // Ranks, device and iterations may change from run to run: what is found stays right.
        String text = how.toString().replaceAll("(ranks|device|iterations)=[^,]+, ", "") + System.lineSeparator();
        Path file = folder.resolve(JOB);
        if (resumes && Files.exists(file)) {
            if (!Files.readString(file).equals(text))
                throw new IllegalArgumentException("--resume: the checkpoints in " + folder
                        + " are of another job; compare " + file + " with the options given now");
            return;
        }
        Files.createDirectories(folder);
        Path unfinished = folder.resolve(JOB + "." + ProcessHandle.current().pid());
        Files.writeString(unfinished, text);
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
