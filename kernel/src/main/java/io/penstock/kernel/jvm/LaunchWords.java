package io.penstock.kernel.jvm;

/**
 * Where the numbers of a launch stand in the array that compiled kernels are given: the range's sizes, then a group of words for
 * each of the launch's values. A scalar is one word: its value or its bits. The words of a view are named here.
 */
public final class LaunchWords {
    /** The number of items along x. */
    public static final int SIZE_X = 0;

    /** The number of items along y. */
    public static final int SIZE_Y = 1;

    /** The number of items along z. */
    public static final int SIZE_Z = 2;

    /** Of a view: where its element of index 0 in every dimension lies. */
    public static final int ADDRESS = 0;

    /** Of a view: the distances in bytes between neighbours along its dimensions, outermost first. */
    public static final int STRIDES = 1;

    /** Of a view: the extents of its dimensions, outermost first. */
    public static final int EXTENTS = 4;

    /** Of a view: the number of elements. */
    public static final int LENGTH = 7;

    /** Of a view of none or several dimensions: how many elements one index reaches. */
    public static final int FLAT = 8;

    private static final int SIZES = 3;
    private static final int GROUP = 9;

    private LaunchWords() {}

    /** Where the words of a value begin. */
    public static int of(int parameter) {
        return SIZES + parameter * GROUP;
    }
}
