package io.penstock.solver;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The file that makes a checkpoint one: which generation of parts is valid, and by what each part is recognised. It is replaced
 * at once, and only when all parts of the next generation are on the disk, so whoever reads sees one whole generation or another.
 *
 * @param generation the number of the generation
 * @param marks the mark of each rank's part
 */
record Manifest(long generation, List<RankFile.Mark> marks) {
    private static final String CURRENT = "checkpoint";
    private static final String PREVIOUS = "checkpoint.previous";
    private static final String TITLE = "penstock checkpoint 1";

    Manifest {
        marks = List.copyOf(marks);
    }

    static Path current(Path folder) {
        return folder.resolve(CURRENT);
    }

    static Path previous(Path folder) {
        return folder.resolve(PREVIOUS);
    }

    static Path generation(Path folder, long generation) {
        return folder.resolve("generation-" + generation);
    }

    /** The number of the generation whose folder this is; -1 when it is none. */
    static long numberOf(Path folder) {
        String name = String.valueOf(folder.getFileName());
        return name.matches("generation-\\d{1,15}") ? Long.parseLong(name.substring("generation-".length())) : -1;
    }

    static Path part(Path folder, long generation, int rank) {
        return generation(folder, generation).resolve("rank-" + rank);
    }

    /** Makes this generation the valid one, and the one that was valid the previous one. */
    void publish(Path folder) throws IOException {
        if (Files.exists(current(folder))) replace(previous(folder), Files.readString(current(folder)));
        replace(current(folder), text());
    }

    /** Makes this generation the valid one in place of one that is damaged. */
    void restore(Path folder) throws IOException {
        replace(current(folder), text());
    }

    private static void replace(Path file, String text) throws IOException {
        Path unfinished = file.resolveSibling(file.getFileName() + ".part");
        try (FileChannel channel = FileChannel.open(
                unfinished,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
            while (bytes.hasRemaining()) channel.write(bytes);
            channel.force(true);
        }
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    String text() {
        StringBuilder text = new StringBuilder(TITLE + "\ngeneration " + generation + "\nranks " + marks.size() + "\n");
        for (RankFile.Mark mark : marks)
            text.append("part ")
                    .append(mark.bytes())
                    .append(' ')
                    .append(mark.checksum())
                    .append('\n');
        long sum = sum(text);
        return text.append("sum ").append(sum).append('\n').toString();
    }

    private static long sum(CharSequence text) {
        CRC32C sum = new CRC32C();
        sum.update(text.toString().getBytes(StandardCharsets.US_ASCII));
        return sum.getValue();
    }

    /**
     * Reads a manifest's text.
     *
     * @throws IOException when it is no manifest or was changed
     */
    static Manifest parse(String text, Path file) throws IOException {
        try {
            int end = text.lastIndexOf("sum ");
            List<String> lines = text.lines().toList();
            if (end < 0 || !lines.getFirst().equals(TITLE) || sum(text.substring(0, end)) != number(lines.getLast(), 1))
                throw new IOException(file + " is damaged, or no checkpoint of this version");
            int ranks = (int) number(lines.get(2), 1);
            List<RankFile.Mark> marks = new ArrayList<>();
            for (int r = 0; r < ranks; r++)
                marks.add(new RankFile.Mark((int) number(lines.get(3 + r), 1), (int) number(lines.get(3 + r), 2)));
            return new Manifest(number(lines.get(1), 1), marks);
        } catch (IndexOutOfBoundsException | NumberFormatException e) {
            throw new IOException(file + " is damaged, or no checkpoint of this version", e);
        }
    }

    private static long number(String line, int word) {
        return Long.parseLong(line.split(" ")[word]);
    }
}
