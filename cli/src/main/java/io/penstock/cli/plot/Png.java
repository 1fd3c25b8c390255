package io.penstock.cli.plot;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import javax.imageio.ImageIO;

/** PNG files. */
final class Png {
    private Png() {}

    static void write(BufferedImage image, Path file) throws IOException {
        ImageIO.setUseCache(false);
        // Of a file that it cannot open ImageIO would print a stack trace of its own.
        try (OutputStream out = Files.newOutputStream(file)) {
            if (!ImageIO.write(image, "png", out)) throw new IOException("cannot write PNG to " + file);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException(
                    "the picture cannot be written to " + file + ": there is no folder " + file.getParent(), e);
        } catch (FileSystemException e) {
            throw new UncheckedIOException("the picture cannot be written", e);
        }
    }
}
