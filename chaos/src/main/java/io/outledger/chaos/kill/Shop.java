// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.kill;

import io.outledger.chaos.roles.RelayMain;
import io.outledger.chaos.roles.RoleSettings;
import io.outledger.chaos.roles.ShopTables;
import io.outledger.jdbc.Schema;
import io.outledger.servers.ChildJvm;
import io.outledger.servers.KafkaProcess;
import io.outledger.servers.Postgres;
import io.outledger.servers.TcpProxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A durable database, a broker, and the roles as processes: two writers, two relays that reach the
 * database through a faulty line, and a consumer. Used by one thread.
 */
final class Shop implements AutoCloseable {

  static final List<String> WRITERS = List.of("writer-1", "writer-2");
  static final List<String> RELAYS = List.of("relay-1", "relay-2");
  static final String CONSUMER = "consumer-1";

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Path folder;
  private final Duration lease;
  private final Postgres postgres;
  private final KafkaProcess kafka;
  private final TcpProxy proxy;
  private final String database;
  private final Map<String, ChildJvm> children = new LinkedHashMap<>();

  /** Which start of a relay has taken the lease as whom: a restarted one is somebody else. */
  private final Map<String, String> owners = new ConcurrentHashMap<>();

  private final Map<String, Long> numbers = new LinkedHashMap<>();
  private long starts;

  Shop(Path folder, Duration lease) throws SQLException {
    this.folder = folder;
    this.lease = lease;
    postgres = Postgres.start();
    kafka = KafkaProcess.start();
    proxy = TcpProxy.before(postgres.port());
    database = postgres.createDatabase();
    kafka.createTopic(RoleSettings.TOPIC, 3, Map.of("message.timestamp.type", "LogAppendTime"));
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setURL(postgres.jdbcUrl(database));
    Schema.postgresql().apply(dataSource);
    try (Connection connection = connect()) {
      ShopTables.create(connection);
      audit(connection);
    }
  }

  Postgres postgres() {
    return postgres;
  }

  KafkaProcess kafka() {
    return kafka;
  }

  TcpProxy proxy() {
    return proxy;
  }

  Duration lease() {
    return lease;
  }

  Connection connect() throws SQLException {
    return postgres.connect(database);
  }

  ChildJvm child(String name) {
    ChildJvm child = children.get(name);
    if (child == null) {
      throw new IllegalStateException(name + " was never started");
    }
    return child;
  }

  /** Returns the relay that took the lease as this incarnation and has not been restarted since. */
  Optional<String> relayOf(String incarnation) {
    String start = owners.getOrDefault(incarnation, "");
    return RELAYS.stream().filter(name -> start.equals(startOf(name))).findFirst();
  }

  /** Starts again who has ended by itself, as where the database was down when it started. */
  void revive() {
    for (Map.Entry<String, ChildJvm> child : List.copyOf(children.entrySet())) {
      if (!child.getValue().isAlive()) {
        start(child.getKey());
      }
    }
  }

  /** Returns the number of the cursor's newest row. */
  long newestRow() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT coalesce(max(n), 0) FROM audit")) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Says whether the last thing that an incarnation saved was that its lease is over. */
  boolean isGivenBackBy(String incarnation) throws SQLException {
    try (Connection connection = connect();
        PreparedStatement select =
            connection.prepareStatement(
                "SELECT released FROM audit WHERE incarnation = ? ORDER BY n DESC LIMIT 1")) {
      select.setString(1, incarnation);
      try (ResultSet row = select.executeQuery()) {
        return row.next() && row.getBoolean(1);
      }
    }
  }

  List<Path> histories() {
    return children.keySet().stream().map(name -> folder.resolve(name + ".history")).toList();
  }

  void start(String name) {
    starts++;
    numbers.put(name, starts);
    String start = startOf(name);
    boolean isRelay = RELAYS.contains(name);
    String url = postgres.jdbcUrl(database);
    RoleSettings settings =
        new RoleSettings(
            name,
            isRelay ? url.replace(":" + postgres.port() + "/", ":" + proxy.port() + "/") : url,
            kafka.bootstrapServers(),
            folder.resolve(name + ".history"),
            starts,
            lease);
    children.put(
        name,
        ChildJvm.of(Role.of(name).main())
            .args(settings.args())
            .heapMib(128)
            .option("-XX:TieredStopAtLevel=1") // it is killed before a better compiler pays
            .option("-XX:+UseSerialGC")
            .property("org.slf4j.simpleLogger.defaultLogLevel", "warn")
            .outputFile(folder.resolve(name + ".output"))
            .onLine(line -> hear(start, line))
            .start());
  }

  private String startOf(String name) {
    return name + " " + numbers.get(name);
  }

  void awaitReady(String name) {
    child(name).waitFor(RoleSettings.READY::equals, PATIENCE);
  }

  @Override
  public void close() {
    children.values().forEach(ChildJvm::close);
    proxy.close();
    kafka.close();
    postgres.close();
  }

  private void hear(String start, String line) {
    if (line.startsWith(RelayMain.OWNS)) {
      owners.put(line.substring(RelayMain.OWNS.length()), start);
    }
  }

  /** Keeps every cursor row for the judge: the relay purges its own. */
  private static void audit(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          """
          CREATE TABLE audit (
            n bigint PRIMARY KEY, incarnation text, taken boolean, at timestamptz, high bigint,
            firsts bigint[], lasts bigint[], aged_firsts bigint[], aged_lasts bigint[],
            released boolean)\
          """);
      statement.execute(
          """
          CREATE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN
            INSERT INTO public.audit
            SELECT NEW.n, NEW.incarnation::text, NEW.taken, clock_timestamp(), NEW.high,
                   NEW.open_first, NEW.open_last,
                   coalesce(array_agg(first ORDER BY first), '{}'),
                   coalesce(array_agg(last ORDER BY first), '{}'), NEW.lease_until IS NULL
              FROM public.outledger_hole WHERE NEW.taken;
            RETURN NULL;
          END $$\
          """);
      statement.execute(
          "CREATE TRIGGER audit AFTER INSERT ON outledger_cursor FOR EACH ROW EXECUTE FUNCTION"
              + " audit()");
    }
  }
}
