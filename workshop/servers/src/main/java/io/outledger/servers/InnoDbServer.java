// SPDX-License-Identifier: Apache-2.0
package io.outledger.servers;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.List;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;

/**
 * What MariaDB and MySQL have in common: as durable as in production, a random password, no socket
 * file of the system's, and databases for tests. Whoever connects has a driver on the class path.
 */
public abstract class InnoDbServer extends InstalledServer {

  private static final String USER = "outledger";
  private static final String APPLICATION = "application";
  private static final int GREETING = 10; // the protocol's version, first in its first packet
  private static final AtomicInteger IDS = new AtomicInteger(); // each replica needs another one

  private final String password;

  InnoDbServer(
      String name,
      Path program,
      String debian,
      String password,
      BiFunction<Path, Integer, List<String>> arguments) {
    super(name, program, debian, arguments);
    this.password = password;
  }

  /** The arguments that both take. */
  static List<String> arguments(Path folder, int port, String accounts, List<String> settings) {
    List<String> all = new ArrayList<>(List.of("--no-defaults", "--bind-address=127.0.0.1"));
    all.add("--port=" + port);
    all.add("--datadir=" + folder.resolve("data"));
    all.add("--socket=" + folder.resolve("socket"));
    all.add(temporary(folder));
    all.add("--init-file=" + write(folder, "accounts.sql", accounts));
    all.add("--skip-name-resolve");
    all.add("--max-connections=300");
    all.add("--server-id=" + IDS.incrementAndGet());
    all.add("--innodb-flush-log-at-trx-commit=1");
    all.addAll(settings);
    all.addAll(runAs());
    return all;
  }

  /** A server that starts deletes temporary tables there, also those of others. */
  static String temporary(Path folder) {
    return "--tmpdir=" + folder;
  }

  /** Both refuse root unless they are told. */
  static List<String> runAs() {
    return "root".equals(System.getProperty("user.name")) ? List.of("--user=root") : List.of();
  }

  /** The SQL, a statement a line, by which each start makes sure of our users. */
  static String accounts(String password) {
    return """
    CREATE USER IF NOT EXISTS '%1$s'@'127.0.0.1' IDENTIFIED BY '%3$s';
    CREATE USER IF NOT EXISTS '%2$s'@'127.0.0.1' IDENTIFIED BY '%3$s';
    GRANT ALL ON *.* TO '%1$s'@'127.0.0.1' WITH GRANT OPTION;
    GRANT ALL ON `db\\_%%`.* TO '%2$s'@'127.0.0.1';
    GRANT SELECT ON *.* TO '%2$s'@'127.0.0.1';
    """
        .formatted(USER, APPLICATION, password);
  }

  static String newPassword() {
    return UUID.randomUUID().toString().replace("-", ""); // one who replicates has 32 characters
  }

  /** How a URL begins and what it ends with, for the driver that is used. */
  abstract String url(int port, String database);

  /**
   * Starts another one of the same version, with the same user and password.
   *
   * @param settings further arguments, such as {@code "--log-bin=binlog"}
   * @return the running server, empty, to be closed by the caller
   */
  public abstract InnoDbServer another(String... settings);

  /** The folder of {@code mariadb} and {@code mariadb-dump}, which speak to MySQL, too. */
  abstract Path clients();

  /** A statement about replication, in MariaDB's words, in those of this version. */
  abstract String replicating(String sql);

  /**
   * The JDBC URL of a database, without user and password.
   *
   * @param database its name
   * @return the URL, valid after restarts too
   */
  public final String jdbcUrl(String database) {
    return url(port(), database);
  }

  /**
   * The user who may do everything.
   *
   * @return its name
   */
  public final String user() {
    return USER;
  }

  /**
   * The user who may change everything in the databases of tests, and read others: one whom a
   * server that is read only lets change nothing.
   *
   * @return its name
   */
  public final String application() {
    return APPLICATION;
  }

  /**
   * The password of both users.
   *
   * @return a random one, the same as long as the server's folder lives
   */
  public final String password() {
    return password;
  }

  /**
   * Opens a connection as the user who may do everything, without a pool.
   *
   * @param database its name; {@code mysql} is always there
   * @return the connection, to be closed by the caller
   * @throws SQLException when it cannot be had, as while the server is down
   */
  public final Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(jdbcUrl(database), USER, password);
  }

  /**
   * Creates an empty database.
   *
   * @return its name, which is not used again
   */
  public final String createDatabase() {
    String name = "db_" + UUID.randomUUID().toString().replace("-", "");
    try (Connection connection = connect("mysql");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + name);
      return name;
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot create a database", e);
    }
  }

  /**
   * Dumps a database by {@code mariadb-dump}, its rows in one snapshot.
   *
   * @param database which
   * @return the dump, which {@link #load} deletes
   */
  public final InnoDbDump dump(String database) {
    InnoDbDump dump = InnoDbDump.empty();
    String tables = "--result-file=" + dump.tables();
    String rows = "--result-file=" + dump.rows();
    // A lock would wait for transactions that wait for whoever lets nobody commit meanwhile.
    run("mariadb-dump", "--no-data", "--skip-triggers", "--skip-lock-tables", tables, database);
    run("mariadb-dump", "--single-transaction", "--hex-blob", "--no-create-info", rows, database);
    return dump;
  }

  /**
   * Loads what another server, or this one, has dumped, and deletes the files.
   *
   * @param dump of the same product
   * @param into an empty database of this server
   * @throws SQLException if it refuses
   */
  public final void load(InnoDbDump dump, String into) throws SQLException {
    run("mariadb", "--execute=source " + dump.tables(), into);
    try (Connection connection = connect(into)) {
      GeneratedColumns generated = GeneratedColumns.made(connection);
      run("mariadb", "--execute=source " + dump.rows(), into);
      generated.generate(connection);
    }
    dump.delete();
  }

  private void run(String client, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                clients().resolve(client).toString(),
                "--no-defaults",
                "--host=127.0.0.1",
                "--port=" + port(),
                "--user=" + USER));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("MYSQL_PWD", password);
    Commands.run(builder);
  }

  /**
   * Reads a time that is stored as UTC, whatever the time zones of session and JVM are. MariaDB's
   * driver passes a date without a zone through the JVM's.
   */
  public static Instant utc(ResultSet row, int column) throws SQLException {
    Calendar utc =
        new Calendar.Builder()
            .setCalendarType("iso8601")
            .setTimeZone(TimeZone.getTimeZone(ZoneOffset.UTC))
            .build();
    return row.getTimestamp(column, utc).toInstant();
  }

  /** It takes connections before it serves them: then no greeting comes, or an error. */
  @Override
  final boolean answers() throws IOException {
    try (Socket socket = new Socket(Ports.loopback(), port())) {
      socket.setSoTimeout(1_000);
      DataInputStream packet = new DataInputStream(socket.getInputStream());
      packet.readInt(); // its length and number
      return packet.readUnsignedByte() == GREETING;
    }
  }
}
