// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.Message;
import io.outledger.relay.Relay;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.listener.RelayLog;
import io.outledger.relay.options.RelayOptions;
import io.outledger.relay.options.Route;
import io.outledger.store.Start;
import io.outledger.testing.InMemoryLedger;
import io.outledger.testing.ParkedRow;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A relay from a ledger in memory to a real broker, whose every event is kept and logged. */
final class RelayToKafka implements AutoCloseable {

  private static final String NAME = "kafka";

  private final InMemoryLedger ledger = new InMemoryLedger(TimeSource.system());
  private final List<RelayEvent> events = new CopyOnWriteArrayList<>();
  private final Relay relay;
  private @Nullable RunningRelay running;

  RelayToKafka(KafkaPublisher publisher) {
    RelayLog log = new RelayLog(NAME, TimeSource.system());
    relay =
        new Relay(
            ledger.relayStore(NAME, Start.EARLIEST),
            List.of(Route.only(publisher)),
            RelayOptions.builder().build(),
            event -> {
              events.add(event);
              log.on(event);
            },
            new Relay.Surroundings(TimeSource.system(), new Random(1)));
    ledger.onCommit(relay.wakeup()::signal);
  }

  /** Starts to publish. */
  RelayToKafka start() {
    running = RunningRelay.start(relay, NAME, TimeSource.system(), Duration.ofSeconds(5));
    return this;
  }

  void append(String topic, String key, int number) {
    byte[] payload = (key + " " + number).getBytes(UTF_8);
    ledger.inNewTransaction(Message.to(topic, "t").key(key).payload(payload).build());
  }

  List<ParkedRow> parked() {
    return ledger.subscription(NAME).parked();
  }

  <E extends RelayEvent> List<E> events(Class<E> type) {
    return events.stream().filter(type::isInstance).map(type::cast).toList();
  }

  @Override
  public void close() {
    RunningRelay started = running;
    if (started != null) {
      started.close();
    }
  }
}
