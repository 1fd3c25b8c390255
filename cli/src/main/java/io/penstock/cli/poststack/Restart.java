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
     * Compares the job with what was written of that whose checkpoints it is to resume.
     *
     * @throws IllegalArgumentException when the checkpoints to resume are of a job that did something else
     * @throws IOException when the folder cannot be used
     */
    void check(Configuration how) throws IOException {
        if (folder == null) return;
        Path file = folder.resolve(JOB);
        if (resumes && Files.exists(file) && !Files.readString(file).equals(text(how)))
            throw new IllegalArgumentException("--resume: the checkpoints in " + folder
                    + " are of another job; compare " + file + " with the options given now");
    }

    /**
     * Writes down what the job does, unless it resumes one of which that is written. For one rank.
     *
     * @throws IOException when the folder cannot be used
     */
    void record(Configuration how) throws IOException {
        if (folder == null) return;
        Path file = folder.resolve(JOB);
        if (resumes && Files.exists(file)) return;
        Files.createDirectories(folder);
        Path unfinished = folder.resolve(JOB + "." + ProcessHandle.current().pid());
        Files.writeString(unfinished, text(how));
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Ranks, device and iterations may change from run to run: what is found stays right. */
    private static String text(Configuration how) {
        return how.toString().replaceAll("(ranks|device|iterations)=[^,]+, ", "") + System.lineSeparator();
    }
}
