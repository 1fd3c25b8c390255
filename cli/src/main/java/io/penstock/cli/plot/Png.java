package io.penstock.cli.plot;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import javax.imageio.ImageIO;

/** PNG files. */
final class Png {
    private Png() {}

    static void write(BufferedImage image, Path file) throws IOException {
        ImageIO.setUseCache(false);
        if (!ImageIO.write(image, "png", file.toFile())) throw new IOException("cannot write PNG to " + file);
    }
}
