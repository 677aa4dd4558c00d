// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.shop;

import io.outledger.chaos.database.DatabaseServer;
import io.outledger.chaos.database.ShopState;
import io.outledger.chaos.roles.AskLog;
import io.outledger.chaos.roles.RoleSettings;
import io.outledger.servers.Await;
import io.outledger.servers.ChildJvm;
import io.outledger.servers.KafkaProcess;
import io.outledger.servers.Postgres;
import io.outledger.servers.TcpProxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A durable database, a broker, and the roles as processes, each of which reaches the database over
 * a line of its own and the broker over a common one. Used by one thread; only connecting is for
 * any.
 */
public final class Shop implements AutoCloseable {

  /** The one who is no process of its own and still writes: see {@link #history(String)}. */
  public static final String HOLDER = "holder";

  private final ShopPlan plan;
  private final ShopDatabase database;
  private final Broker broker;
  private final Map<String, TcpProxy> lines = new LinkedHashMap<>();
  private final Map<String, Integer> versions = new HashMap<>();
  private final Processes processes;

  /**
   * Starts the servers.
   *
   * @throws SQLException where the tables cannot be made
   */
  public Shop(ShopPlan plan) throws SQLException {
    this.plan = plan;
    database = new ShopDatabase(plan);
    broker = new Broker();
    processes = new Processes(plan);
    plan.cast().all().forEach(n -> lines.put(n, TcpProxy.before(database.server().port())));
  }

  /** Starts everybody, and returns when all are ready. */
  public void open() {
    plan.cast().all().forEach(this::start);
    plan.cast().all().forEach(processes::awaitReady);
  }

  /** Returns who plays. */
  public Cast cast() {
    return plan.cast();
  }

  /** Returns how long the relays' lease lasts. */
  public Duration lease() {
    return plan.lease();
  }

  /** Returns the database. */
  public ShopDatabase database() {
    return database;
  }

  /**
   * Returns the database server of the moment.
   *
   * @throws IllegalStateException where it is no PostgreSQL
   */
  public Postgres postgres() {
    return database.postgres();
  }

  /** Returns the broker. */
  public Broker broker() {
    return broker;
  }

  /** Returns the broker's server. */
  public KafkaProcess kafka() {
    return broker.kafka();
  }

  /** Returns the line over which a role reaches the database. */
  public TcpProxy line(String name) {
    TcpProxy line = lines.get(name);
    if (line == null) {
      throw new IllegalArgumentException("nobody here is called " + name);
    }
    return line;
  }

  /** Connects to the database directly. */
  public Connection connect() throws SQLException {
    return database.connect();
  }

  /**
   * Looks where the shop stands. A database that was killed just now is waited for: it may take
   * minutes to recover while everybody else works.
   *
   * @throws AssertionError where it does not answer for minutes
   */
  public ShopState state() {
    AtomicReference<ShopState> found = new AtomicReference<>();
    AtomicReference<SQLException> failure = new AtomicReference<>();
    Await.until(
        () -> "the database answers: " + failure.get(),
        Patience.ONE_STEP,
        () -> {
          try (Connection connection = connect()) {
            found.set(database.product().sql().state(connection));
          } catch (SQLException e) {
            failure.set(e);
          }
          return found.get() != null;
        });
    return Objects.requireNonNull(found.get());
  }

  /**
   * Says whether each message has its effect, which looks at everything. Dead letters are left out,
   * for they may never have one.
   */
  public boolean hasAllEffects() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                SELECT NOT EXISTS (
                  SELECT 1 FROM (SELECT id FROM outledger_message
                                 UNION ALL SELECT id FROM purged) m
                   WHERE NOT EXISTS (SELECT 1 FROM dead d WHERE d.id = m.id)
                     AND NOT EXISTS (SELECT 1 FROM effect e WHERE e.message_id = m.id))\
                """)) {
      row.next();
      return row.getBoolean(1);
    }
  }

  /** Says whether all that operators have asked for has come to an end. */
  public boolean hasNoOpenRequests() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT COUNT(*) FROM outledger_request WHERE state IN ('waiting', 'running')")) {
      row.next();
      return row.getLong(1) == 0;
    }
  }

  /** Returns a role's process. */
  public ChildJvm child(String name) {
    return processes.child(name);
  }

  /** Returns the relay that took the lease as this incarnation and has not been restarted since. */
  public Optional<String> relayOf(String incarnation) {
    return processes.relayOf(incarnation);
  }

  /** Starts a role, for the first time or again. */
  public void start(String name) {
    processes.start(
        new RoleSettings(
            name,
            database.urlOver(line(name).port()),
            broker.address(),
            history(name),
            processes.nextStart(),
            plan.lease(),
            plan.cast().groupOf(name),
            plan.cast().isOperated(),
            version(name)));
  }

  /** Returns which version of the service a role is. */
  public int version(String name) {
    return versions.getOrDefault(name, 1);
  }

  /** Has a role stopped and started again as a version, and returns when that is ready. */
  public void deploy(String name, int version) {
    child(name).stop(Patience.ONE_STEP);
    versions.put(name, version);
    start(name);
    processes.awaitReady(name);
  }

  /** Starts again who has ended by itself, as where the database was down when it started. */
  public void revive() {
    processes.ended().forEach(this::start);
  }

  /** Makes another database server the shop's: the lines lead there, and the old one is closed. */
  public void moveTo(DatabaseServer server, String name) {
    database.replace(server, name);
    lines.values().forEach(line -> line.leadTo(server.port()));
  }

  /** Returns where somebody takes down what it knows. */
  public Path history(String name) {
    return plan.history(name);
  }

  /** Returns what operators have asked for. */
  public List<AskLog.Asked> asked() {
    return plan.cast().operators().stream()
        .map(name -> new AskLog(history(name).resolveSibling(name + RoleSettings.ASKED)))
        .flatMap(log -> log.read().stream())
        .toList();
  }

  /** Returns everybody's history; not each need be there. */
  public List<Path> histories() {
    List<Path> histories = new ArrayList<>();
    processes.names().forEach(name -> histories.add(history(name)));
    histories.add(history(HOLDER));
    return histories;
  }

  @Override
  public void close() {
    processes.close();
    lines.values().forEach(TcpProxy::close);
    broker.close();
    database.close();
  }
}
