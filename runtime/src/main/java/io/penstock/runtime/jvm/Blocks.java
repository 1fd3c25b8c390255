package io.penstock.runtime.jvm;

import java.util.ArrayList;
import java.util.List;

/** Blocks that have left the pool and are given back to the system once its lock is released. */
final class Blocks {
    private final List<Block> blocks = new ArrayList<>(0);

    private record Block(long address, long size) {}

    void add(long address, long size) {
        blocks.add(new Block(address, size));
    }

    void unmap(Pages pages) {
        for (Block block : blocks) pages.unmap(block.address, block.size);
    }
}
