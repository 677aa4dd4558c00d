// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Name;
import io.outledger.event.Events;
import io.outledger.event.PassedOver;
import io.outledger.inbox.Inbox;
import io.outledger.inbox.InboxRetention;
import io.outledger.jdbc.spi.Database;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/**
 * The entry point to Outledger on a database. Thread-safe. Create one instance for each database
 * and close it at shutdown.
 *
 * <pre>{@code
 * Outledger outledger = Outledger.builder(dataSource).build();
 * outledger.outbox().append(connection, Message.to("orders", "order.placed").key("o-1").build());
 * }</pre>
 */
public final class Outledger implements AutoCloseable {

  private final Events events;
  private final Database database;
  private final JdbcTransactions transactions;
  private final InboxRetention inboxRetention;
  private final DataSource dataSource;
  private final DataSource relayDataSource;
  private final Life life = new Life();
  private final StatusBoard statuses;
  private final OpenRelays relays = new OpenRelays();
  private final TimeSource time;
  private final Duration messageRetention;
  private final OpenRetentions retentions;
  private final JdbcOutbox outbox;
  private final PassedOver passedOver = new PassedOver();
  private final Map<String, JdbcInbox> inboxes = new ConcurrentHashMap<>();
  private final Set<String> handled = ConcurrentHashMap.newKeySet();

  Outledger(OutledgerBuilder builder, Events events, Database database) {
    this.events = events;
    this.database = database;
    this.transactions = new JdbcTransactions(builder.dataSource, database, life);
    this.inboxRetention = new InboxRetention(builder.inboxRetention);
    this.dataSource = builder.dataSource;
    this.relayDataSource = builder.relayDataSource;
    this.statuses =
        new StatusBoard(
            database.status(builder.relayDataSource),
            new InstanceName(builder.instance),
            builder.time);
    this.time = builder.time;
    this.messageRetention = builder.messageRetention;
    this.retentions = new OpenRetentions(life, builder.hasRetention);
    this.outbox = new JdbcOutbox(new Appending(events, database, life), transactions, relays::wake);
  }

  /**
   * Returns a builder for a database. It opens no connection before {@link
   * OutledgerBuilder#build()}.
   *
   * @param dataSource the application's data source; a pool of one connection is sufficient
   */
  public static OutledgerBuilder builder(DataSource dataSource) {
    return new OutledgerBuilder(dataSource);
  }

  /**
   * Returns the write side, which appends messages and creates the {@link io.outledger.Outbox} that
   * application code uses.
   */
  public JdbcOutbox outbox() {
    return outbox;
  }

  /**
   * Returns a small transaction manager for plain JDBC, on the application's data source.
   *
   * @throws io.outledger.StoreException {@code OUT-026} if this instance is closed
   */
  public JdbcTransactions transactions() {
    life.require("use transactions");
    return transactions;
  }

  /** Returns the application's data source, as it was given. */
  public DataSource dataSource() {
    return dataSource;
  }

  /** Returns the converter between events and messages. */
  public Events events() {
    return events;
  }

  /**
   * Returns the inbox of a consumer, always the same one.
   *
   * @param consumer its name, which must never change and must be unique among the services that
   *     use this schema
   * @throws io.outledger.ConfigurationException {@code OUT-006} if the name is not valid
   * @throws io.outledger.StoreException {@code OUT-026} if this instance is closed
   */
  public JdbcInbox inbox(String consumer) {
    life.require("use an inbox");
    return inboxes.computeIfAbsent(Name.check("consumer", consumer), this::newInbox);
  }

  private JdbcInbox newInbox(String consumer) {
    return new JdbcInbox(
        new Inbox<>(consumer, new InboxRows(database)),
        transactions,
        inboxRetention,
        new TypedWork.Parts(events, outbox, passedOver, life, database),
        handled);
  }

  /**
   * Returns a builder of a relay for a subscription. Any number of relays may run, in this and in
   * other processes: one is active, the others are on standby.
   *
   * @param subscription its name, which must never change
   * @throws io.outledger.ConfigurationException {@code OUT-006} if the name is not valid
   * @throws io.outledger.StoreException {@code OUT-026} if this instance is closed
   */
  public RelayBuilder relay(String subscription) {
    life.require("create a relay");
    return new RelayBuilder(
        Name.check("subscription", subscription),
        new RelayBuilder.Parts(
            wanted -> database.relayStore(relayDataSource, wanted),
            relays,
            statuses,
            life,
            time,
            this::startDefaultRetention),
        this::inbox);
  }

  /**
   * Returns how many deliveries typed handlers have skipped since the start because the message
   * type is not registered. The key is reader, type and version, such as {@code relay/mail:
   * order.cancelled v1}. The log reports each key once.
   */
  public Map<String, Long> passedOver() {
    return passedOver.counts();
  }

  /** Returns the schema, to print, apply or check the tables. */
  public Schema schema() {
    return Schema.of(database);
  }

  /**
   * Returns the retention, which removes old messages and inbox records. By default it starts with
   * the first relay, unless {@link OutledgerBuilder#withoutRetention()} disabled it; a retention
   * started here replaces the default one.
   *
   * @throws io.outledger.StoreException {@code OUT-026} if this instance is closed
   */
  public Retention retention() {
    life.require("purge old rows");
    return new Retention(database, dataSource, messageRetention, inboxRetention, retentions);
  }

  private void startDefaultRetention() {
    retentions.startDefault(
        () -> {
          Retention retention = retention();
          return RunningRetention.start(
              retention,
              messageRetention,
              retention.inboxesOf(inboxes.keySet()),
              Retention.EVERY_DEFAULT);
        });
  }

  /**
   * Returns the administration of subscriptions: list, move and delete.
   *
   * @throws io.outledger.StoreException {@code OUT-026} if this instance is closed
   */
  public Subscriptions subscriptions() {
    life.require("administer subscriptions");
    return new Subscriptions(database.subscriptions(dataSource), life);
  }

  /**
   * Returns the administration of parked messages: list, retry and discard.
   *
   * @param subscription its name
   * @throws io.outledger.ConfigurationException {@code OUT-006} if the name is not valid
   * @throws io.outledger.StoreException {@code OUT-026} if this instance is closed
   */
  public ParkedMessages parkedMessages(String subscription) {
    life.require("administer parked messages");
    return new ParkedMessages(
        database.parked(dataSource), subscription, life, () -> relays.routesOf(subscription));
  }

  /**
   * Stops the relays started by this instance, and the retention. Each relay settles its messages
   * in flight and releases its lease. Afterwards every use of this instance and of what came from
   * it fails with {@code OUT-026}, except that {@link #dataSource}, {@link #events}, {@link
   * #schema} and {@link #passedOver} still answer; running transactions may finish. The data
   * sources belong to the application and stay open. Idempotent.
   */
  @Override
  public void close() {
    life.closing();
    relays.close();
    retentions.close();
    statuses.close();
    life.closed();
  }
}
