// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.mutants;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.Instruction;
import java.lang.constant.ConstantDescs;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Classes of a mutant in the place of those that are loaded, whose code is warm: only what the
 * mutant changes is compiled again. That takes an agent, which this process is started with by
 * {@code -javaagent}, and a mutant that changes what methods do, and neither which there are nor
 * what is computed once for the class.
 */
final class ReplacedClasses implements AutoCloseable {
    private static volatile Optional<Instrumentation> agent = Optional.empty();

    private final List<ClassDefinition> former;

    private ReplacedClasses(List<ClassDefinition> former) {
        this.former = former;
    }

    /** Called by the virtual machine, as the manifest of the agent names this class. */
    public static void premain(String options, Instrumentation instrumentation) {
        agent = Optional.of(instrumentation);
    }

    /**
     * Replaces them until they are closed; empty if these can't be replaced.
     *
     * @param planted the folder of the mutant's classes
     */
    static Optional<ReplacedClasses> of(Path planted, ClassLoader classes) throws IOException {
        if (agent.isEmpty()) {
            return Optional.empty();
        }
        List<ClassDefinition> former = new ArrayList<>();
        List<ClassDefinition> mutated = new ArrayList<>();
        for (Path file : classFiles(planted)) {
            String path = planted.relativize(file).toString().replace('\\', '/');
            try (InputStream known = classes.getResourceAsStream(path)) {
                if (known == null) {
                    return Optional.empty();
                }
                byte[] was = known.readAllBytes();
                byte[] becomes = Files.readAllBytes(file);
                if (!onceComputed(was).equals(onceComputed(becomes))) {
                    return Optional.empty();
                }
                String name = path.substring(0, path.length() - ".class".length());
                Class<?> loaded = classes.loadClass(name.replace('/', '.'));
                former.add(new ClassDefinition(loaded, was));
                mutated.add(new ClassDefinition(loaded, becomes));
            } catch (ClassNotFoundException unknown) {
                return Optional.empty();
            }
        }
        return redefine(mutated)
                ? Optional.of(new ReplacedClasses(List.copyOf(former)))
                : Optional.empty();
    }

    private static List<Path> classFiles(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(it -> it.toString().endsWith(".class")).toList();
        }
    }

    /** What a class does when it is initialized. */
    private static List<String> onceComputed(byte[] bytes) {
        ClassModel read = ClassFile.of().parse(bytes);
        return read.methods().stream()
                .filter(it -> it.methodName().equalsString(ConstantDescs.CLASS_INIT_NAME))
                .flatMap(it -> it.code().stream())
                .flatMap(it -> it.elementStream())
                .filter(Instruction.class::isInstance)
                .map(Object::toString)
                .toList();
    }

    private static boolean redefine(List<ClassDefinition> definitions) {
        try {
            agent.orElseThrow().redefineClasses(definitions.toArray(ClassDefinition[]::new));
            return true;
        } catch (UnsupportedOperationException
                | UnmodifiableClassException
                | LinkageError refused) {
            return false;
        } catch (ClassNotFoundException gone) {
            throw new IllegalStateException(gone);
        }
    }

    /** Puts the former classes back. */
    @Override
    public void close() {
        if (!redefine(former)) {
            throw new IllegalStateException("the former classes can't be put back");
        }
    }
}
