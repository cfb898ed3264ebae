// SPDX-License-Identifier: Apache-2.0
package io.sluice.plugins;

import io.sluice.plugin.Listener;
import io.sluice.plugin.Mutator;
import io.sluice.plugin.Plugin;
import io.sluice.plugin.Problem;
import io.sluice.plugin.Resource;
import io.sluice.plugin.Validator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The plugins of one process: each folder below one folder is one, with its jars. */
public final class Plugins {
    /** None at all. */
    public static final Plugins NONE = new Plugins(List.of(), List.of(), List.of());

    /** Where plugins are in an image, unless the process is told of another folder. */
    public static final Path DEFAULT_FOLDER = Path.of("/opt/sluice/plugins");

    private static final Logger LOG = LoggerFactory.getLogger(Plugins.class);

    private final List<Validator> validators;
    private final List<Mutator> mutators;
    private final List<Listener> listeners;

    /** Thrown with one line for people: a process with half of its plugins is not started. */
    public static final class Unusable extends RuntimeException {
        Unusable(String message, Throwable cause) {
            super(message, cause);
        }
    }

    private Plugins(List<Validator> validators, List<Mutator> mutators, List<Listener> listeners) {
        this.validators = List.copyOf(validators);
        this.mutators = List.copyOf(mutators);
        this.listeners = List.copyOf(listeners);
    }

    /**
     * @param folder may be missing, which means no plugins
     * @param options the options of the plugin in a folder, by the folder's name
     * @throws Unusable if one can't be loaded or configured
     */
    public static Plugins load(Path folder, Function<String, Map<String, String>> options) {
        if (!Files.isDirectory(folder)) {
            return NONE;
        }
        List<Validator> validators = new ArrayList<>();
        List<Mutator> mutators = new ArrayList<>();
        List<Listener> listeners = new ArrayList<>();
        for (Path each : children(folder)) {
            if (Files.isDirectory(each)) {
                String name = folder.relativize(each).toString();
                PluginLoader loader = new PluginLoader(name, jars(each));
                Map<String, String> own = options.apply(name);
                validators.addAll(find(Validator.class, loader, own));
                mutators.addAll(find(Mutator.class, loader, own));
                listeners.addAll(find(Listener.class, loader, own));
            }
        }
        return new Plugins(validators, mutators, listeners);
    }

    /**
     * What validators say of one resource.
     *
     * @param failed class names of those that threw, and so could not tell
     */
    public record Findings(List<Problem> problems, List<String> failed) {
        public Findings {
            problems = List.copyOf(problems);
            failed = List.copyOf(failed);
        }

        /** The problems; a validator that failed counts as one that refuses. */
        public List<Problem> all() {
            return Stream.concat(
                            problems.stream(),
                            failed.stream()
                                    .map(
                                            name ->
                                                    new Problem(
                                                            "spec",
                                                            "the plugin "
                                                                    + name
                                                                    + " failed and can't tell"
                                                                    + " whether it is right; see"
                                                                    + " the log")))
                    .toList();
        }
    }

    /** Is told which plugin is asked next, by its class name. */
    @FunctionalInterface
    public interface Progress {
        void at(String plugin);
    }

    /** Asks each validator; takes as long as they do. */
    public Findings review(Resource resource, Progress progress) {
        List<Problem> problems = new ArrayList<>();
        List<String> failed = new ArrayList<>();
        for (Validator each : validators) {
            progress.at(each.getClass().getName());
            try {
                problems.addAll(inside(each, () -> each.check(resource)));
            } catch (RuntimeException | LinkageError | StackOverflowError fault) {
                log(each, resource, fault);
                failed.add(each.getClass().getName());
            }
        }
        return new Findings(problems, failed);
    }

    /**
     * Asks each mutator; takes as long as they do.
     *
     * @return the spec that they make of {@code resource}'s, as JSON; empty if they leave it
     */
    public Optional<String> complete(Resource resource, WithSpec withSpec, Progress progress) {
        Optional<String> spec = Optional.empty();
        Resource current = resource;
        for (Mutator each : mutators) {
            Resource seen = current;
            progress.at(each.getClass().getName());
            try {
                Optional<String> next = inside(each, () -> each.complete(seen));
                if (next.isPresent()) {
                    current = withSpec.put(seen, next.get());
                    spec = next;
                }
            } catch (RuntimeException | LinkageError | StackOverflowError fault) {
                log(each, resource, fault);
            }
        }
        return spec;
    }

    /** Tells all listeners. */
    public void statusChanged(Resource resource, String reason) {
        for (Listener each : listeners) {
            try {
                run(each, () -> each.statusChanged(resource, reason));
            } catch (RuntimeException fault) {
                log(each, resource, fault);
            }
        }
    }

    /** Of all of them. */
    public List<ClassLoader> loaders() {
        return Stream.of(validators, mutators, listeners)
                .flatMap(List::stream)
                .flatMap(each -> Stream.ofNullable(each.getClass().getClassLoader()))
                .distinct()
                .toList();
    }

    public boolean hasListeners() {
        return !listeners.isEmpty();
    }

    public boolean hasValidators() {
        return !validators.isEmpty();
    }

    public boolean hasMutators() {
        return !mutators.isEmpty();
    }

    /** Puts a spec into a resource. */
    @FunctionalInterface
    public interface WithSpec {
        Resource put(Resource resource, String spec);
    }

    /** Libraries look for classes by the thread's loader. */
    private static <T> T inside(Plugin plugin, Supplier<T> work) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(plugin.getClass().getClassLoader());
        try {
            return work.get();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static void run(Plugin plugin, Runnable work) {
        boolean _ =
                inside(
                        plugin,
                        () -> {
                            work.run();
                            return true;
                        });
    }

    private static <P extends Plugin> List<P> find(
            Class<P> type, PluginLoader loader, Map<String, String> options) {
        List<P> found = new ArrayList<>();
        try {
            for (P plugin : ServiceLoader.load(type, loader)) {
                run(plugin, () -> plugin.configure(options));
                LOG.atInfo()
                        .addKeyValue("plugin", plugin.getClass().getName())
                        .addKeyValue("folder", loader.getName())
                        .log("a plugin is loaded");
                found.add(plugin);
            }
        } catch (ServiceConfigurationError | RuntimeException wrong) {
            throw new Unusable(
                    "The plugin in " + loader.getName() + " can't be used: " + wrong.getMessage(),
                    wrong);
        }
        return found;
    }

    private static void log(Plugin plugin, Resource resource, Throwable fault) {
        LOG.atError()
                .addKeyValue("plugin", plugin.getClass().getName())
                .addKeyValue("resource.kind", resource.kind())
                .addKeyValue("resource.namespace", resource.namespace())
                .addKeyValue("resource.name", resource.name())
                .setCause(fault)
                .log("a plugin failed");
    }

    private static URL[] jars(Path folder) {
        List<URL> jars = new ArrayList<>();
        for (Path jar : children(folder)) {
            if (jar.toString().endsWith(".jar")) {
                try {
                    jars.add(jar.toUri().toURL());
                } catch (MalformedURLException impossible) {
                    throw new UncheckedIOException(impossible);
                }
            }
        }
        return jars.toArray(URL[]::new);
    }

    private static List<Path> children(Path folder) {
        try (var files = Files.list(folder)) {
            return files.sorted().toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
