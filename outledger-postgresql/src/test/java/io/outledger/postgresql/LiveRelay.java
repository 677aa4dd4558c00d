// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.jdbc.Outledger;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.RelayOptions;
import io.outledger.servers.Await;
import io.outledger.testing.RecordingPublisher;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** A ledger on a real server with a relay that runs on its own thread, all by the public door. */
final class LiveRelay implements AutoCloseable {

  static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String LAST = "last";

  final StoreDatabase database;
  final Outledger outledger;
  final RecordingPublisher publisher = new RecordingPublisher();
  private final Queue<RelayEvent> events = new ConcurrentLinkedQueue<>();
  private final RunningRelay relay;

  LiveRelay(StoreDatabase database) {
    this(database, options -> {});
  }

  LiveRelay(StoreDatabase database, Consumer<RelayOptions.Builder> options) {
    this(database, database.dataSource(), options);
  }

  LiveRelay(StoreDatabase database, DataSource dataSource, Consumer<RelayOptions.Builder> options) {
    this.database = database;
    this.outledger = Outledger.builder(dataSource).build();
    this.relay =
        outledger.relay("kafka").options(options).listener(events::add).to(publisher).start();
  }

  /** Returns the payloads of what has arrived, in order, duplicates among them. */
  List<String> published() {
    return publisher.messages().stream().map(m -> new String(m.payload(), UTF_8)).toList();
  }

  <E extends RelayEvent> List<E> events(Class<E> type) {
    return events.stream().filter(type::isInstance).map(type::cast).toList();
  }

  /** Returns how many positions were proven dead and dropped. */
  long holesDropped() {
    return events(RelayEvent.HolesDropped.class).stream().mapToLong(e -> e.holes().size()).sum();
  }

  void awaitPublished(int messages) {
    Await.until(
        () -> published().size() + " of " + messages + " are published: " + events,
        PATIENCE,
        () -> publisher.positions().size() >= messages);
  }

  /**
   * Appends a last message, since roll-backs at the ledger's end are seen by what comes after them,
   * and waits until it is published and no position is open.
   */
  void awaitNothingOpen() {
    outledger.outbox().inNewTransaction(message(LAST, LAST));
    Await.until(
        () -> "nothing is open: " + lag(),
        PATIENCE,
        () -> published().contains(LAST) && lag().equals("0|0"));
  }

  /** Every number that was drawn is one of a message that was published, or of a dead hole. */
  void assertEveryNumberIsAccountedFor() throws SQLException {
    assertThat(publisher.positions()).doesNotHaveDuplicates();
    assertThat(publisher.positions().size() + holesDropped())
        .isEqualTo(database.number("SELECT last_value FROM outledger_message_position"));
    assertThat(events(RelayEvent.StoreFailed.class)).isEmpty();
    assertThat(events(RelayEvent.LeaseTaken.class)).hasSize(1);
  }

  static Message message(String key, String payload) {
    return Message.to("orders", "order.placed").key(key).payload(payload.getBytes(UTF_8)).build();
  }

  private String lag() {
    try {
      return database.query("SELECT behind, open_ranges FROM outledger_lag").get(0);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    try (outledger) {
      relay.close();
    }
  }
}
