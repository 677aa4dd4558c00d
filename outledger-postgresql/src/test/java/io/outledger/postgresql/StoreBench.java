// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import io.outledger.Message;
import io.outledger.publish.Publisher;
import io.outledger.relay.Relay;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.RelayOptions;
import io.outledger.relay.options.Route;
import io.outledger.servers.Await;
import io.outledger.store.RelayStore;
import io.outledger.store.Start;
import io.outledger.testing.RecordingPublisher;
import io.outledger.testing.SettableClock;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** A ledger on a real server, a destination in memory, and a clock that the test moves. */
final class StoreBench implements AutoCloseable {

  static final String SUBSCRIPTION = "kafka";

  final StoreDatabase database;
  final SettableClock clock = new SettableClock();
  final RecordingPublisher publisher = new RecordingPublisher();
  final List<RelayEvent> events = new ArrayList<>();
  RelayOptions options = options().build();
  private final AppendStatement appending = new AppendStatement(new Tables("public"));
  private final List<Relay> relays = new ArrayList<>();

  StoreBench() {
    this(StoreDatabase.create());
  }

  StoreBench(StoreDatabase database) {
    this.database = database;
  }

  /** Begins options under which each step saves what it has settled. */
  static RelayOptions.Builder options() {
    return RelayOptions.builder().saveWait(Duration.ZERO);
  }

  Relay relay() {
    return relay(clock, Start.EARLIEST);
  }

  /** Makes a relay with a clock of its own. */
  Relay relay(SettableClock own, Start start) {
    RelayStore store = database.stores().relayStore(SUBSCRIPTION, start, options.lease());
    return relay(own, store);
  }

  Relay relay(SettableClock own, RelayStore store) {
    return relay(own, store, publisher);
  }

  Relay relay(SettableClock own, RelayStore store, Publisher to) {
    Relay relay =
        new Relay(
            store,
            List.of(Route.only(to)),
            options,
            events::add,
            new Relay.Surroundings(own, new Random(relays.size())));
    relays.add(relay);
    return relay;
  }

  /** Runs this number of steps of a relay, and moves the common clock a little between them. */
  void steps(Relay relay, int count) {
    for (int i = 0; i < count; i++) {
      relay.step();
      clock.advance(Duration.ofMillis(20));
    }
  }

  /**
   * Steps a relay until no more ranges than these are open. A transaction of the server's own, such
   * as autovacuum's, keeps the holes of its time open while it lasts.
   */
  void stepsUntilOpen(Relay relay, long rangesMax) {
    String lag = "SELECT open_ranges FROM outledger_lag";
    Await.until(
        () -> "at most " + rangesMax + " ranges are open",
        Duration.ofSeconds(30),
        () -> {
          steps(relay, 1);
          return database.number(lag) <= rangesMax;
        });
  }

  /** Appends messages of a key in a transaction of their own; their payloads are key and number. */
  void append(String key, int from, int to) throws SQLException {
    try (Connection connection = begin()) {
      append(connection, key, from, to);
      connection.commit();
    }
  }

  void append(Connection connection, String key, int from, int to) throws SQLException {
    appending.append(
        connection, IntStream.rangeClosed(from, to).mapToObj(i -> message(key, i)).toList());
  }

  Connection begin() throws SQLException {
    Connection connection = database.connect();
    connection.setAutoCommit(false);
    return connection;
  }

  static Message message(String key, int number) {
    return Message.to("orders", "order.placed")
        .key(key)
        .payload((key + number).getBytes(StandardCharsets.UTF_8))
        .build();
  }

  /** Returns the payloads of what has arrived, in order, duplicates among them. */
  List<String> published() {
    return publisher.messages().stream()
        .map(message -> new String(message.payload(), StandardCharsets.UTF_8))
        .toList();
  }

  <E extends RelayEvent> List<E> events(Class<E> type) {
    return events.stream().filter(type::isInstance).map(type::cast).toList();
  }

  @Override
  public void close() {
    relays.forEach(Relay::close);
  }
}
