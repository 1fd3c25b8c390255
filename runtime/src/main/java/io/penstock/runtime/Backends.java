package io.penstock.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** The drivers that this process knows of. */
public final class Backends {
    private static final List<Backend> ALL = ServiceLoader.load(Backend.class, Backends.class.getClassLoader()).stream()
            .map(ServiceLoader.Provider::get)
            .toList();

    private Backends() {}

    /** All drivers, whether they have devices or not. */
    public static List<Backend> all() {
        return ALL;
    }

    static List<Device> devices() {
        List<Device> devices = new ArrayList<>(List.of(Device.jvm()));
        for (Backend backend : ALL) devices.addAll(backend.devices());
        return List.copyOf(devices);
    }

    static Device named(String name) {
        List<Device> devices = devices();
        for (Device device : devices) if (device.name().equals(name)) return device;
        String found = devices.stream().map(Device::name).collect(Collectors.joining(", "));
        String absent = ALL.stream()
                .flatMap(backend -> backend.absence().stream().map(why -> "; no " + backend.name() + ": " + why))
                .collect(Collectors.joining());
        throw new IllegalArgumentException("device is '" + name + "'; expected one of " + found + absent);
    }
}
