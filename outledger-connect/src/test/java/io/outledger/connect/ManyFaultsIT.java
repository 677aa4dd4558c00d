// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.servers.Await;
import io.outledger.servers.KafkaProcess;
import io.outledger.servers.Postgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two workers, a broker and a database that are killed and frozen while messages are on their way,
 * and topics that are missing. After each fault everything that was written until then arrives.
 * {@code -Doutledger.connect.faults=200} says how many, {@code -Doutledger.seed=7} replays a run,
 * and {@code -Doutledger.connect.into=FILE} has it recorded. {@code proof/connect} runs it with a
 * time-out that grows with their number; the build's ten minutes are enough for some fifty.
 */
@Tag("long")
final class ManyFaultsIT {

  private static final int FAULTS = Integer.getInteger("outledger.connect.faults", 10);
  private static final long SEED = Long.getLong("outledger.seed", 1);
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final int AT_A_TIME = 1_500;
  private static final int UNDER_WAY = 200;

  private final KafkaProcess kafka = KafkaProcess.builder().controllerApart().startProcess();
  private final Postgres postgres = Postgres.start();
  private final Shop shop = new Shop(postgres);
  private final Connectors connectors =
      new Connectors(kafka.bootstrapServers(), name -> kafka.createTopic(name, 1, Map.of()), shop);
  private final PacedWriter writer = new PacedWriter(shop, "orders", shop.dataSource(), SEED);
  private final Random random = new Random(SEED);
  private final Map<Fault, Integer> met = new TreeMap<>();
  private final List<String> missing = new ArrayList<>();
  private List<ConnectWorker> workers = List.of();
  private int restartedTasks;

  /** What happens. */
  private enum Fault {
    WORKER_KILLED,
    WORKER_FROZEN,
    BROKER_KILLED,
    BROKER_FROZEN,
    DATABASE_KILLED,
    TOPIC_MISSING;

    /** Half of them are kills of a worker. */
    static Fault of(int drawn) {
      return drawn < 5 ? WORKER_KILLED : values()[drawn - 4];
    }

    String word() {
      return "connect-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  @AfterEach
  void close() {
    writer.stop();
    connectors.close();
    shop.close();
    kafka.close();
    postgres.close();
  }

  @Test
  void eachMessageArrivesOnceAndInOrderWhateverIsKilledOrFrozen() throws Exception {
    kafka.createTopic("all.orders", 3, Map.of());
    workers = List.of(connectors.worker(), connectors.worker());
    connectors.put(workers.get(0), Map.of("topic", "all.{topic}", "slots", "8", "tasks.max", "4"));
    writer.start();
    boolean held = false;
    try (Consumed consumed = new Consumed(kafka.bootstrapServers(), "all.orders")) {
      for (int i = 0; i < FAULTS; i++) {
        writer.allow(AT_A_TIME);
        awaitRead(consumed, consumed.read() + UNDER_WAY);
        Fault fault = Fault.of(random.nextInt(10));
        happen(fault, consumed);
        awaitRead(consumed, written());
        assertThat(consumed.wrong()).as("-Doutledger.seed=%s, fault %s", SEED, i).isEmpty();
        met.merge(fault, 1, Integer::sum);
      }
      writer.stop();
      Await.until("the writers have stopped", PATIENCE, writer::hasStopped);
      awaitEnd(consumed);
      held = true;
    } finally {
      record(held);
    }
  }

  private void happen(Fault fault, Consumed consumed) {
    ConnectWorker worker = workers.get(random.nextInt(workers.size()));
    switch (fault) {
      case WORKER_KILLED -> {
        worker.kill();
        worker.restart();
      }
      case WORKER_FROZEN -> {
        long until = written();
        worker.suspend();
        ConnectWorker other = workers.get(workers.indexOf(worker) == 0 ? 1 : 0);
        awaitRead(consumed, until, other); // so the other has taken over what it had
        worker.resume();
      }
      case BROKER_KILLED -> {
        kafka.kill();
        kafka.restart();
      }
      case BROKER_FROZEN -> {
        kafka.suspend();
        writer.allow(AT_A_TIME);
        Await.until("the writers go on without a broker", PATIENCE, writer::isIdle);
        kafka.resume();
      }
      case DATABASE_KILLED -> {
        postgres.kill();
        postgres.restart();
      }
      case TOPIC_MISSING -> missTopic();
    }
  }

  /** A message for it is a dead letter; it arrives once its topic is there and it is retried. */
  private void missTopic() {
    String name = "missing-" + missing.size();
    shop.append(Message.to(name, "order.placed").key(name).payload(name.getBytes(UTF_8)).build());
    Await.until(
        "it is a dead letter", PATIENCE, () -> shop.number(dead(name)) == 1 || restartsFailed());
    kafka.createTopic("all." + name, 1, Map.of());
    shop.outledger().parkedMessages("kafka").retryAll();
    missing.add(name);
  }

  private static String dead(String topic) {
    return "SELECT count(*) FROM outledger_parked WHERE topic = '" + topic + "'";
  }

  private long written() {
    return shop.number("SELECT count(*) FROM outledger_message WHERE topic = 'orders'");
  }

  private void awaitRead(Consumed consumed, long atLeast) {
    awaitRead(consumed, atLeast, workers.get(0));
  }

  private void awaitRead(Consumed consumed, long atLeast, ConnectWorker asked) {
    Await.until(
        () -> atLeast + " messages arrive; " + connectors.status(asked) + "\n" + outputs(),
        PATIENCE,
        () -> consumed.read() >= atLeast || (hasFailed(asked) && restartsFailed(asked)));
  }

  private String outputs() {
    return workers.stream()
        .map(ConnectWorker::outputAndStacks)
        .collect(Collectors.joining("\n----\n"));
  }

  private boolean hasFailed(ConnectWorker asked) {
    return connectors.status(asked).contains("FAILED");
  }

  private boolean restartsFailed() {
    ConnectWorker asked = workers.get(0);
    return hasFailed(asked) && restartsFailed(asked);
  }

  /** Returns that nothing has arrived by that. */
  private boolean restartsFailed(ConnectWorker asked) {
    restartedTasks++;
    connectors.restartFailed(asked);
    return false;
  }

  private void awaitEnd(Consumed consumed) {
    long all = written();
    awaitRead(consumed, all);
    Await.until(
        "the mirror is at the ledger's end",
        PATIENCE,
        () ->
            shop.number("SELECT min(high) FROM outledger_subscription")
                >= shop.number("SELECT max(position) FROM outledger_message"));
    assertThat((long) consumed.read()).isEqualTo(all);
    assertThat(consumed.wrong()).isEmpty();
    for (String name : missing) {
      try (Consumed one = new Consumed(kafka.bootstrapServers(), "all." + name)) {
        Await.until("the retried message arrives", PATIENCE, () -> one.read() >= 1);
        assertThat(one.read()).as(name).isEqualTo(1);
      }
    }
    assertThat(shop.number("SELECT count(*) FROM outledger_parked")).isZero();
  }

  private void record(boolean held) throws IOException {
    String into = System.getProperty("outledger.connect.into");
    if (into == null) {
      return;
    }
    String trials =
        met.entrySet().stream()
            .map(each -> "\"" + each.getKey().word() + "\":" + each.getValue())
            .collect(Collectors.joining(","));
    String line =
        """
        {"kind":"connect","at":"%s","command":"proof/connect --faults %s --seed %s","held":%s,\
        "versions":{"outledger":"%s","jdk":"%s","postgresql":"%s","kafka":"%s"},\
        "trials":{%s},"about":"%s messages, %s of them dead letters that were retried; \
        failed tasks were restarted %s times"}
        """
            .formatted(
                Instant.now().truncatedTo(ChronoUnit.SECONDS),
                FAULTS,
                SEED,
                held,
                System.getProperty("outledger.commit", "unknown"),
                System.getProperty("java.runtime.version"),
                postgres.version(),
                org.apache.kafka.common.utils.AppInfoParser.getVersion(),
                trials,
                shop.count(),
                missing.size(),
                restartedTasks);
    Files.writeString(
        Path.of(into), line, UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
