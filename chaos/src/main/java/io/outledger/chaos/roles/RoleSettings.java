// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.roles;

import io.outledger.chaos.database.Product;
import io.outledger.chaos.database.ShopSql;
import io.outledger.store.Declaration;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/**
 * What a role is told when it is started, by the arguments of its main method and by its
 * environment.
 *
 * @param name who it is, such as {@code relay-1}
 * @param jdbcUrl the database, with user and password
 * @param bootstrapServers the broker
 * @param history where it takes down what it knows
 * @param seed what its choices come from
 * @param lease how long a relay's lease lasts
 * @param group a consumer's group
 * @param isOperated whether an operator is there, so that some messages are refused: see {@link
 *     RefusingPublisher}
 * @param version which version of the service it is: each knows the messages of its own version and
 *     of all before
 */
public record RoleSettings(
    String name,
    String jdbcUrl,
    String bootstrapServers,
    Path history,
    long seed,
    Duration lease,
    String group,
    boolean isOperated,
    int version) {

  /** The topic of all messages. */
  public static final String TOPIC = "shop";

  /** The type of all messages, in as many versions as the service has. */
  public static final String TYPE = "account.changed";

  /** The subscription that the relays compete for. */
  public static final String SUBSCRIPTION = ShopSql.SUBSCRIPTION;

  /** The consumers' name at the inbox. */
  public static final String CONSUMER = "stock";

  /** How the file's name ends in which a consumer takes down its batches. */
  public static final String BATCHES = ".batches";

  /** How the file's name ends in which an operator takes down what it asks for. */
  public static final String ASKED = ".asked";

  /** The line that a role says when it has started. */
  public static final String READY = "ready";

  /**
   * The variable of a role's environment that holds the database: everybody can read a command
   * line, and it has a password.
   */
  public static final String JDBC_URL = "OUTLEDGER_CHAOS_JDBC_URL";

  /** Reads the arguments of a main method, and its environment. */
  public static RoleSettings of(String... args) {
    return new RoleSettings(
        args[0],
        System.getenv(JDBC_URL),
        args[1],
        Path.of(args[2]),
        Long.parseLong(args[3]),
        Duration.ofMillis(Long.parseLong(args[4])),
        args[5],
        Boolean.parseBoolean(args[6]),
        Integer.parseInt(args[7]));
  }

  /** Returns the arguments that {@link #of} reads; the database goes into {@link #JDBC_URL}. */
  public String[] args() {
    return new String[] {
      name,
      bootstrapServers,
      history.toString(),
      Long.toString(seed),
      Long.toString(lease.toMillis()),
      group,
      Boolean.toString(isOperated),
      Integer.toString(version)
    };
  }

  /** Returns the types that this version of the service knows. */
  Set<String> types() {
    return IntStream.rangeClosed(1, version)
        .mapToObj(each -> Declaration.type(TYPE, each))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Returns a data source that opens a connection each time. */
  public DataSource dataSource() {
    return Product.dataSource(jdbcUrl, name);
  }

  /** Returns what the shop says to this database. */
  ShopSql sql() {
    return Product.ofUrl(jdbcUrl).sql();
  }

  /** Returns where a consumer takes down which batches it had in its hands, and when. */
  Path batches() {
    return history.resolveSibling(name + BATCHES);
  }

  /** Returns where the operator takes down what it asks for. */
  AskLog asked() {
    return new AskLog(history.resolveSibling(name + ASKED));
  }

  static void onStop(Runnable end) {
    Runtime.getRuntime().addShutdownHook(new Thread(end, "stop"));
  }

  @SuppressWarnings("SystemOut") // the way a process tells whoever started it
  static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
