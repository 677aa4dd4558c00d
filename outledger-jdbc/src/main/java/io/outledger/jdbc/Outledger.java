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
  private final boolean hasRelayDataSource;
  private final OpenState openState = new OpenState();
  private final StatusBoard statuses;
  private final OpenRelays relays = new OpenRelays();
  private final TimeSource time;
  private final Retention.Terms retentionTerms;
  private final Duration retentionInterval;
  private final OpenRetentions retentions;
  private final OpenRequests openRequests;
  private final OpenMover openMover;
  private final ScheduledMover mover;
  private final JdbcOutbox outbox;
  private final PassedOver passedOver = new PassedOver();
  private final Map<String, JdbcInbox> inboxes = new ConcurrentHashMap<>();
  private final NewConsumers newConsumers;
  private final Sagas sagas;

  Outledger(OutledgerBuilder builder, Events events, Databases.Located found) {
    this.events = events;
    this.database = found.database();
    this.transactions = new JdbcTransactions(builder.dataSource, database, openState);
    this.inboxRetention = new InboxRetention(builder.inboxRetention);
    this.dataSource = builder.dataSource;
    this.relayDataSource = builder.relayDataSource;
    this.hasRelayDataSource = builder.hasRelayDataSource;
    this.statuses =
        new StatusBoard(
            database.status(builder.relayDataSource),
            new InstanceName(builder.instance),
            builder.time);
    this.time = builder.time;
    this.retentionTerms =
        new Retention.Terms(
            builder.messageRetention,
            inboxRetention,
            builder.auditRetention,
            builder.retentionBatch);
    this.retentionInterval = builder.retentionInterval;
    this.retentions = new OpenRetentions(openState, builder.hasRetention);
    this.openRequests = new OpenRequests(openState);
    this.openMover = new OpenMover(openState);
    this.mover = new ScheduledMover(database, dataSource, time, relays::wake);
    this.newConsumers = new NewConsumers(database, inboxes.keySet());
    this.sagas = new Sagas(events, database, builder.time, this::inbox);
    Appending appending =
        new Appending(
            events,
            database,
            openState,
            new AppendTargets(found.address()),
            new Appending.AppendWatch(builder.appendListener, builder.time));
    Scheduling scheduling = new Scheduling(appending, database, openMover::wake);
    this.outbox = new JdbcOutbox(appending, scheduling, transactions, relays::wake);
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
    openState.require("use transactions");
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
   * @param consumer its name, which must be unique among the services that use this schema, and
   *     does not change unless it is {@linkplain io.outledger.jdbc.admin.Verb.Rename renamed}
   * @throws io.outledger.ConfigurationException {@code OUT-006} if the name is not valid
   * @throws io.outledger.StoreException {@code OUT-026} if this instance is closed
   */
  public JdbcInbox inbox(String consumer) {
    openState.require("use an inbox");
    return inboxes.computeIfAbsent(Name.check("consumer", consumer), this::newInbox);
  }

  private JdbcInbox newInbox(String consumer) {
    return new JdbcInbox(
        new Inbox<>(consumer, new InboxRows(database)),
        transactions,
        inboxRetention,
        new TypedWork.Parts(
            events,
            outbox,
            passedOver,
            openState,
            database,
            this::requester,
            this::startInBackground,
            newConsumers));
  }

  /**
   * Returns a builder of a relay for a subscription. Any number of relays may run, in this and in
   * other processes: one is active, the others are on standby.
   *
   * @param subscription its name, which must not change, as those of its routes: who has another
   *     name begins anew. {@link io.outledger.jdbc.admin.Verb.Rename} changes names
   * @throws io.outledger.ConfigurationException {@code OUT-006} if the name is not valid
   * @throws io.outledger.StoreException {@code OUT-026} if this instance is closed
   */
  public RelayBuilder relay(String subscription) {
    openState.require("create a relay");
    return new RelayBuilder(
        Name.check("subscription", subscription),
        new RelayParts(
            wanted -> database.relayStore(relayDataSource, wanted),
            relays,
            statuses,
            openState,
            time,
            this::startInBackground,
            hasRelayDataSource,
            sagas),
        this::inbox);
  }

  /**
   * Returns a builder of a pull of a subscription, for an engine that sends messages itself and
   * keeps how far it is together with them, such as Kafka Connect. Applications use {@link #relay}.
   *
   * @param subscription its name, as of a relay; of both only one is active at a time
   * @throws io.outledger.ConfigurationException {@code OUT-006} if the name is not valid
   * @throws io.outledger.StoreException {@code OUT-026} if this instance is closed
   */
  public PullBuilder pull(String subscription) {
    openState.require("create a pull");
    return new PullBuilder(
        Name.check("subscription", subscription),
        new PullBuilder.Parts(
            relayDataSource, database::relayStore, statuses, time, this::startInBackground));
  }

  /**
   * Returns what runs sagas; {@link #admin()} reads them.
   *
   * @throws io.outledger.StoreException {@code OUT-026} if this instance is closed
   */
  public Sagas sagas() {
    openState.require("use sagas");
    return sagas;
  }

  /**
   * Returns how many deliveries typed handlers have skipped since the start because the message
   * type is not registered. The key is reader, type and version, such as {@code relay/mail:
   * order.cancelled v1}. The log reports each key once.
   */
  public Map<String, Long> passedOver() {
    return passedOver.counts();
  }

  /**
   * Returns how many payloads were read since the start with a field that the event's class does
   * not have: a newer writer has added it, or it was renamed and its value is lost. The key is type
   * and field, such as {@code order.placed v1: gift}. The log reports each key once.
   */
  public Map<String, Long> unknownFields() {
    return events.unknownFields();
  }

  /** Returns the schema, to print, apply or check the tables. */
  public Schema schema() {
    return Schema.of(database);
  }

  /**
   * Returns the retention, which removes old messages and inbox records. By default it starts with
   * the first relay or receiver, unless {@link OutledgerBuilder#withoutRetention()} disabled it; a
   * retention started here replaces the default one.
   *
   * @throws io.outledger.StoreException {@code OUT-026} if this instance is closed
   */
  public Retention retention() {
    openState.require("purge old rows");
    return new Retention(database, dataSource, retentionTerms, retentions);
  }

  /** Starts what each process with a relay or a receiver does beside them. */
  private void startInBackground() {
    openRequests.start(
        () -> RunningRequests.start(new RequestExecutor(database, dataSource), time));
    openMover.start(() -> RunningMover.start(mover, time));
    retentions.startDefault(
        () -> {
          Retention retention = retention();
          return RunningRetention.start(
              retention,
              retentionTerms.messages(),
              retention.inboxesOf(inboxes.keySet()),
              retentionInterval);
        });
  }

  /**
   * Moves what is scheduled and due into the ledger, on the caller's thread, as each process with a
   * started relay or receiver does by itself. For a relay that is only drained, in a job or a test.
   * Does nothing while another process moves, and waits while this one does. A failure leaves what
   * is not moved yet waiting; a message that the ledger has refused is tried again by a call half a
   * minute later.
   *
   * @throws io.outledger.StoreException {@code OUT-026} if this instance is closed, others if the
   *     database failed
   */
  public void moveScheduled() {
    openState.require("move scheduled messages");
    mover.pass();
  }

  /**
   * Returns everything that an operator reads: what is late and why, messages, what is parked.
   *
   * @throws io.outledger.StoreException {@code OUT-026} if this instance is closed
   */
  public Admin admin() {
    openState.require("read the state of the ledger");
    return new Admin(database.adminReads(dataSource), openState);
  }

  /**
   * Returns what moves and deletes subscriptions; {@link #admin()} reads them.
   *
   * @throws io.outledger.StoreException {@code OUT-026} if this instance is closed
   */
  public Subscriptions subscriptions() {
    openState.require("administer subscriptions");
    return new Subscriptions(requester(), openState);
  }

  /**
   * Returns the door through which operators change things: they ask, with who and why, and see
   * what came of it.
   *
   * @throws io.outledger.StoreException {@code OUT-026} if this instance is closed
   */
  public Requests requests() {
    openState.require("use requests");
    return new Requests(database, dataSource, openState, time);
  }

  private Requester requester() {
    return new Requester(requests(), statuses.instance());
  }

  /**
   * Returns what retries and discards parked messages; {@link #admin()} lists them.
   *
   * @param subscription its name
   * @throws io.outledger.ConfigurationException {@code OUT-006} if the name is not valid
   * @throws io.outledger.StoreException {@code OUT-026} if this instance is closed
   */
  public ParkedMessages parkedMessages(String subscription) {
    openState.require("administer parked messages");
    return new ParkedMessages(admin(), requester(), subscription);
  }

  /**
   * Stops the relays started by this instance, the retention, the mover of scheduled messages, and
   * the work on requests. Each relay settles its messages in flight and releases its lease.
   * Afterwards every use of this instance and of what came from it fails with {@code OUT-026},
   * except that {@link #dataSource}, {@link #events}, {@link #schema}, {@link #passedOver} and
   * {@link #unknownFields} still answer; running transactions may finish. The data sources belong
   * to the application and stay open. Idempotent.
   */
  @Override
  public void close() {
    openState.closing();
    relays.close();
    retentions.close();
    openRequests.close();
    openMover.close();
    statuses.close();
    openState.closed();
  }
}
