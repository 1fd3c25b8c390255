package io.penstock.cli;

import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints: the program's version and the JVM's. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = Penstock.class.getPackage().getImplementationVersion();
        return new String[] {
            "penstock " + (version == null ? "(not packaged)" : version) + ", on Java " + Runtime.version() + " ("
                    + System.getProperty("java.vm.name") + ")"
        };
    }
}
