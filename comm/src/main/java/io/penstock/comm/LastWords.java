package io.penstock.comm;

/**
 * What a process says, on standard error, when it ends or is ended as a rank of a job: then no caller is left to be told, and a
 * logger may be closed already.
 */
final class LastWords {
    private LastWords() {}

    static void say(String words) {
        System.err.println("penstock: " + words);
        System.err.flush();
    }
}
