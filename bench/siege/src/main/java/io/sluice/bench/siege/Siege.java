// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.sluice.api.spec.ApiVersion;
import io.sluice.bench.siege.attack.Target;
import io.sluice.bench.siege.installation.Addresses;
import io.sluice.bench.siege.installation.Clients;
import io.sluice.bench.siege.installation.Guard;
import io.sluice.bench.siege.installation.Installation;
import io.sluice.bench.siege.installation.LoopbackPort;
import io.sluice.bench.siege.installation.Manifests;
import io.sluice.bench.siege.installation.Namespaces;
import io.sluice.bench.siege.installation.Processes;
import io.sluice.bench.siege.installation.ProcessorTime;
import io.sluice.bench.siege.installation.ServedProcess;
import io.sluice.bench.siege.installation.Victims;
import io.sluice.bench.siege.ordinary.Action;
import io.sluice.bench.siege.ordinary.EffectLog;
import io.sluice.bench.siege.ordinary.Measurements;
import io.sluice.bench.siege.ordinary.OrdinaryJobManagers;
import io.sluice.bench.siege.ordinary.OrdinaryResources;
import io.sluice.bench.siege.ordinary.Users;
import io.sluice.bench.siege.recording.AuditLog;
import io.sluice.bench.siege.recording.SlowestActions;
import io.sluice.testkit.RunningApiServer;
import io.sluice.testkit.ServiceAddresses;
import io.sluice.testkit.SimulatedKubelet;
import io.sluice.testkit.Waits;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Attacks the three real processes together, while ordinary users go on. Prints a table and writes
 * it to a file; ends with 1 if a bar is missed.
 *
 * <pre>
 *   java -cp … io.sluice.bench.siege.Siege FOLDER SECONDS APPLICATIONS CONNECTIONS HALF-REQUESTS
 * </pre>
 *
 * where FOLDER holds the rendered chart and the command of each process.
 */
public final class Siege implements AutoCloseable {
    private static final InetAddress GOOD_JARS = Addresses.parsed("127.0.4.2");
    private static final int KUBELET_THREADS = 8;
    private static final Duration SETTLING = Duration.ofMinutes(5);
    private static final ServedProcess.Memory NOTHING = new ServedProcess.Memory(0, 0);
    private static final Duration REST = Duration.ofSeconds(60);

    /** Longer than the operator waits for a JobManager that does not answer a deletion. */
    private static final Duration LEAVING = Duration.ofMinutes(7);

    /** Session jobs first: their cluster waits for them. */
    private static final List<String> KINDS = List.of("FlinkSessionJob", "FlinkDeployment");

    private final Path folder;
    private final Duration length;
    private final int applications;
    private final AuditLog requests;
    private final RunningApiServer api;
    private final KubernetesClient client;
    private final KubernetesClient usersClient;
    private final int jobManagers = Addresses.freePort();
    private final int https = Addresses.freePort();
    private final EffectLog effects = new EffectLog();
    private final OrdinaryJobManagers ordinary;
    private final SimulatedKubelet kubelet;
    private final Installation installation;
    private final Processes processes;
    private final LoopbackPort jars;
    private final OrdinaryResources resources;
    private final Users users;
    private final Verdict verdict = new Verdict();
    private final List<Process> attackers = new ArrayList<>();

    private Siege(Path folder, Duration length, int applications) throws IOException {
        this.folder = folder;
        this.length = length;
        this.applications = applications;
        requests = new AuditLog(folder);
        api = RunningApiServer.start(requests.flags());
        client = api.client();
        usersClient = Clients.of(api.kubeconfig());
        ServiceAddresses.addTo(client);
        installation = Installation.of(client, api.kubeconfig(), folder.resolve("chart.yaml"));
        installation.install(https);
        processes = new Processes(folder, installation, jobManagers, https);
        ordinary = new OrdinaryJobManagers(jobManagers, effects);
        kubelet = new SimulatedKubelet(client, KUBELET_THREADS, ordinary);
        jars =
                LoopbackPort.open(
                        GOOD_JARS,
                        jobManagers,
                        (_, out) -> LoopbackPort.json(out, 200, "PK\u0003\u0004 a jar"));
        resources = new OrdinaryResources(client, effects);
        users =
                new Users(
                        usersClient,
                        effects,
                        resources,
                        "http://%s:%d".formatted(GOOD_JARS.getHostAddress(), jobManagers));
    }

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        boolean good;
        try (var siege =
                new Siege(
                        folder,
                        Duration.ofSeconds(Long.parseLong(arguments[1])),
                        Integer.parseInt(arguments[2]))) {
            Runtime.getRuntime().addShutdownHook(new Thread(siege::endProcesses, "end"));
            good = siege.run(Integer.parseInt(arguments[3]), Integer.parseInt(arguments[4]));
        } catch (RuntimeException failed) {
            failed.printStackTrace();
            System.exit(2);
            return;
        } finally {
            Guard.end();
        }
        System.exit(good ? 0 : 1);
    }

    private boolean run(int connections, int halfRequests) throws IOException {
        for (String component : Processes.COMPONENTS) {
            processes.start(component);
        }
        say("the processes are up");
        Waits.pause(Duration.ofSeconds(3)); // the API server learns whom it has to ask
        var victims = new Victims(client);
        victims.create();
        createInLostNamespace();
        users.settle(applications, SETTLING);
        say(applications + " applications are stable");
        Duration quietLength = Duration.ofSeconds(Math.clamp(length.toSeconds() / 4, 60, 180));
        var warmUp = new Measurements();
        users.act(Duration.ofSeconds(30), warmUp, this::allRun);
        ProcessorTime beforeQuiet = processorTime();
        Measurements quiet = phase(quietLength);
        Map<String, Double> quietCores = processorTime().coresSince(beforeQuiet);
        say("measured without attack");
        Map<String, ServedProcess.Memory> before = processes.settledMemory("before");
        processes.forgetPeaks();

        new Target(
                        api.kubeconfig(),
                        jobManagers,
                        https,
                        processes.plainPorts(),
                        connections,
                        halfRequests)
                .write(folder.resolve("target.properties"));
        installation.takeRightsAway();
        startAttackers();
        ProcessorTime beforeAttack = processorTime();
        Measurements attacked = phase(length);
        Map<String, Double> attackCores = processorTime().coresSince(beforeAttack);
        List<String> ended = processes.ended();
        say("measured under attack");
        endAttackers();

        writeSlowest(quiet, attacked);
        report(quiet, attacked, quietLength);
        verdict.cores(quietCores, attackCores);
        verdict.title("the world afterwards");
        verdict.none("processes that ended", ended);
        verdict.none("jobs that were stopped though no user wanted it", effects.unwanted());
        verdict.none("objects of others that were changed", victims.touched());
        if (ended.isEmpty()) {
            Map<String, Long> peaks = peaks();
            removeHostileResources();
            Waits.reaches(() -> hostileResources().isEmpty(), LEAVING);
            verdict.none("hostile resources that could not be deleted", hostileResources());
            Waits.pause(REST);
            Map<String, ServedProcess.Memory> after = processes.settledMemory("after");
            Waits.reaches(() -> resources.unstable().isEmpty(), REST);
            verdict.none("ordinary applications that are not stable", resources.unstable());
            for (String component : Processes.COMPONENTS) {
                verdict.memory(
                        component,
                        before.getOrDefault(component, NOTHING),
                        after.getOrDefault(component, NOTHING),
                        peaks.getOrDefault(component, 0L),
                        installation.memoryLimitMebibytes(component));
            }
            restart();
        }
        verdict.title("what the attackers did");
        Files.readAllLines(folder.resolve("attacks.txt")).forEach(verdict::line);
        String text = verdict.text();
        System.out.print(text);
        Files.writeString(folder.resolve("siege.txt"), text);
        return verdict.isGood();
    }

    private Measurements phase(Duration length) {
        effects.begin();
        var measured = new Measurements();
        users.act(length, measured, this::allRun);
        effects.operatorGaps().forEach(gap -> measured.took(Action.OPERATOR_LOOK, gap));
        effects.autoscalerGaps().forEach(gap -> measured.took(Action.AUTOSCALER_LOOK, gap));
        return measured;
    }

    /** Before any process starts again and begins its log anew. */
    private void writeSlowest(Measurements quiet, Measurements attacked) throws IOException {
        var slowest =
                new SlowestActions(
                        requests,
                        Processes.COMPONENTS.stream().map(processes::collectorLog).toList());
        slowest.add("without attack", quiet);
        slowest.add("under attack", attacked);
        Files.writeString(folder.resolve("slowest.txt"), slowest.text());
    }

    private void report(Measurements quiet, Measurements attacked, Duration quietLength) {
        verdict.title(
                "%d applications; %d s without attack, then %d s under attack"
                        .formatted(applications, quietLength.toSeconds(), length.toSeconds()));
        verdict.latencies(quiet, attacked);
    }

    /** With a namespace that nothing may be read in any more. */
    private void restart() throws IOException {
        List<String> failures = new ArrayList<>();
        for (String component : Processes.COMPONENTS) {
            processes.stop(component);
            try {
                processes.start(component);
            } catch (IllegalStateException notReady) {
                failures.add("" + notReady.getMessage());
            }
        }
        var measured = new Measurements();
        if (failures.isEmpty()) {
            users.act(Duration.ofSeconds(10), measured, this::allRun);
            for (Action action : List.of(Action.ADMISSION, Action.EDIT, Action.SCALING)) {
                failures.addAll(measured.failures(action));
            }
        }
        verdict.none("failures after a restart without the lost namespace's rights", failures);
    }

    private Map<String, Long> peaks() {
        return Processes.COMPONENTS.stream()
                .collect(
                        java.util.stream.Collectors.toMap(
                                each -> each, each -> processes.of(each).peakMebibytes()));
    }

    private boolean allRun() {
        return processes.ended().isEmpty();
    }

    private ProcessorTime processorTime() {
        Map<Long, String> names = new HashMap<>(processes.names());
        names.put(ProcessHandle.current().pid(), "users, JobManagers and kubelet of this bench");
        attackers.forEach(each -> names.put(each.pid(), "attackers"));
        return ProcessorTime.now(names);
    }

    private void createInLostNamespace() {
        for (int i = 0; i < 3; i++) {
            client.resource(Manifests.application(Namespaces.LOST, "lost-" + i)).create();
        }
    }

    private void startAttackers() throws IOException {
        Files.deleteIfExists(folder.resolve("attacks.txt"));
        Process started =
                new ProcessBuilder(Files.readAllLines(folder.resolve("attackers.command")))
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("attackers.log").toFile())
                        .start();
        Guard.with(started.pid());
        attackers.add(started);
    }

    private void endAttackers() {
        for (Process each : attackers) {
            if (!each.isAlive()) {
                verdict.none("attackers that ended early", List.of("see attackers.log"));
            }
            each.destroy();
            try {
                if (!each.waitFor(20, TimeUnit.SECONDS)) {
                    each.destroyForcibly();
                }
            } catch (InterruptedException hurried) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void removeHostileResources() {
        for (String kind : KINDS) {
            for (GenericKubernetesResource each : hostile(kind).list().getItems()) {
                hostile(kind).withName(each.getMetadata().getName()).delete();
            }
        }
    }

    private List<String> hostileResources() {
        return KINDS.stream()
                .flatMap(kind -> hostile(kind).list().getItems().stream())
                .map(each -> each.getKind() + " " + each.getMetadata().getName())
                .toList();
    }

    private NonNamespaceOperation<
                    GenericKubernetesResource,
                    GenericKubernetesResourceList,
                    Resource<GenericKubernetesResource>>
            hostile(String kind) {
        return client.genericKubernetesResources(ApiVersion.TEXT, kind)
                .inNamespace(Namespaces.HOSTILE);
    }

    private static void say(String what) {
        System.err.println("siege: " + what);
    }

    private void endProcesses() {
        attackers.forEach(Process::destroyForcibly);
        processes.close();
    }

    @Override
    public void close() {
        endProcesses();
        resources.close();
        kubelet.close();
        ordinary.close();
        jars.close();
        usersClient.close();
        api.close();
    }
}
