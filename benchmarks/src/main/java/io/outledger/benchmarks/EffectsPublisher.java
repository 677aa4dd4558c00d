// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.Message;
import io.outledger.inbox.Received;
import io.outledger.jdbc.JdbcInbox;
import io.outledger.jdbc.Outledger;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;

/**
 * Writes a row for each message that its inbox does not know, in batches, each with its inbox rows
 * in one transaction: what a consumer does that takes what is there. The inbox has the name that a
 * handler of the route would have, so that a replay may make it forget.
 */
final class EffectsPublisher implements Publisher {

  static final String SUBSCRIPTION = "replayed";
  static final String ROUTE = "effects";

  /** Without a key, so that a second effect is counted and not refused. */
  static final String TABLE =
      "CREATE TABLE effect (message_id uuid NOT NULL, position bigint NOT NULL,"
          + " at_micros bigint NOT NULL)";

  private static final int BATCH_MAX = 200;

  private final Outledger outledger;

  EffectsPublisher(Outledger outledger) {
    this.outledger = outledger;
  }

  @Override
  public KeyOrder keyOrder() {
    return KeyOrder.ONE_AT_A_TIME;
  }

  @Override
  public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    Client client = new Client(outledger, outcomes);
    client.start();
    return client;
  }

  private record Handed(long position, Message message) {}

  private static final class Client implements PublisherClient {

    private final Outledger outledger;
    private final JdbcInbox inbox;
    private final Outcomes outcomes;
    private final BlockingQueue<Handed> queue = new LinkedBlockingQueue<>();
    private final Thread thread = new Thread(this::work, "effects");

    Client(Outledger outledger, Outcomes outcomes) {
      this.outledger = outledger;
      this.inbox = outledger.inbox(SUBSCRIPTION + "/" + ROUTE);
      this.outcomes = outcomes;
    }

    void start() {
      thread.setDaemon(true);
      thread.start();
    }

    @Override
    public void publish(long position, int attempt, Message message) {
      queue.add(new Handed(position, message));
    }

    @Override
    public void flush() {}

    @Override
    public Set<Long> recall() {
      List<Handed> waiting = new ArrayList<>();
      queue.drainTo(waiting);
      return waiting.stream().map(Handed::position).collect(Collectors.toSet());
    }

    @Override
    public void close() {
      thread.interrupt();
    }

    private void work() {
      List<Handed> batch = new ArrayList<>();
      try {
        while (true) {
          batch.clear();
          batch.add(queue.take());
          queue.drainTo(batch, BATCH_MAX - 1);
          Outcome outcome = outcome(batch);
          batch.forEach(one -> outcomes.report(one.position(), outcome));
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private Outcome outcome(List<Handed> batch) {
      try (Connection connection = outledger.dataSource().getConnection()) {
        connection.setAutoCommit(false);
        process(connection, batch);
        connection.commit();
        return Outcome.PUBLISHED;
      } catch (SQLException | RuntimeException e) {
        return Outcome.unavailable(String.valueOf(e.getMessage()));
      }
    }

    private void process(Connection connection, List<Handed> batch) throws SQLException {
      Map<Received, Handed> received = new LinkedHashMap<>();
      for (Handed one : batch) {
        received.put(Received.ofLedger(SUBSCRIPTION, one.position(), one.message()), one);
      }
      inbox.processAll(
          connection,
          List.copyOf(received.keySet()),
          fresh -> insert(connection, fresh.stream().map(received::get).toList()));
    }

    private static void insert(Connection connection, List<Handed> fresh) throws SQLException {
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO effect VALUES (?, ?, ?)")) {
        for (Handed one : fresh) {
          insert.setObject(1, one.message().id());
          insert.setLong(2, one.position());
          insert.setLong(3, SharedClock.micros());
          insert.addBatch();
        }
        insert.executeBatch();
      }
    }
  }
}
