package io.penstock.kernel.jvm;

/**
 * Where the numbers of a launch stand in the array that compiled kernels are given: the range's sizes, then a group of words for
 * each of the launch's values and then for each array that a group shares, which is a view into scratch memory. A scalar is one word: its value or its bits. The words of a view are named here.
 */
public final class LaunchWords {
    /** The number of items along x. */
    public static final int SIZE_X = 0;

    /** The number of items along y. */
    public static final int SIZE_Y = 1;

    /** The number of items along z. */
    public static final int SIZE_Z = 2;

    /** How many items a group has along x; y and z follow. */
    public static final int GROUP_X = 3;

    /** Where items' own arrays begin in scratch memory. */
    public static final int OWN = 6;

    /** Where what items keep over a barrier begins in scratch memory. */
    public static final int STATE = 7;

    /** 1 where an item may run twice, since nothing that is written is read; see {@link Repetition}. */
    public static final int REPEATS = 8;

    /** Of a view: where its element of index 0 in every dimension lies; of a shared array, counted from the scratch memory. */
    public static final int ADDRESS = 0;

    /** Of a view: the distances in bytes between neighbours along its dimensions, outermost first. */
    public static final int STRIDES = 1;

    /** Of a view: the extents of its dimensions, outermost first. */
    public static final int EXTENTS = 4;

    /** Of a view: the number of elements. */
    public static final int LENGTH = 7;

    /** Of a view of none or several dimensions: how many elements one index reaches. */
    public static final int FLAT = 8;

    private static final int HEADER = 9;
    private static final int WORDS = 9;

    private LaunchWords() {}

    /** Where the words of a value begin; arrays that a group shares are counted after the values. */
    public static int of(int parameter) {
        return HEADER + parameter * WORDS;
    }
}
