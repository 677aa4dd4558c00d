// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import io.outledger.benchmarks.Sql;
import io.outledger.servers.Postgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The databases in which turns take place: one of its own for each, but where it would be equal.
 */
final class TurnDatabases {

  private final Postgres server;
  private final Consumer<String> progress;
  private final Map<String, String> backlogs = new HashMap<>();
  private final Map<Entrant, String> settled = new EnumMap<>(Entrant.class);

  TurnDatabases(Postgres server, Consumer<String> progress) {
    this.server = server;
    this.progress = progress;
  }

  /** What is done in a database. */
  interface Turn {
    Reply in(String jdbcUrl) throws IOException;
  }

  /** Has a turn done where nothing is yet. */
  Reply fresh(Turn turn) throws IOException, SQLException {
    return use(server.createDatabase(), turn);
  }

  /** Runs a turn on a database in which this number of messages waits. */
  Reply waiting(EntrantProcess process, int messages, Turn turn) throws IOException, SQLException {
    Product product = process.entrant().product();
    if (product.backlog() == Product.Waiting.WRITTEN_EACH_TIME) {
      return use(written(process, messages), turn);
    }
    String key = product + " " + messages;
    if (!backlogs.containsKey(key)) {
      progress.accept("%,d messages are written with %s".formatted(messages, product.title()));
      backlogs.put(key, written(process, messages));
    }
    String kept = backlogs.getOrDefault(key, "");
    if (product.backlog() == Product.Waiting.KEPT) {
      run("CHECKPOINT");
      return turn.in(server.jdbcUrl(kept));
    }
    return use(server.createDatabaseFrom(kept), turn);
  }

  /** Runs a turn on a database that has published this number of messages before. */
  Reply settled(EntrantProcess process, int messages, Turn turn) throws IOException, SQLException {
    Entrant entrant = process.entrant();
    if (!settled.containsKey(entrant)) {
      progress.accept("%,d settled messages are laid for %s".formatted(messages, entrant.id()));
      String database = server.createDatabase();
      process.tell("settle", server.jdbcUrl(database), messages);
      settled.put(entrant, database);
    }
    return take(settled.getOrDefault(entrant, ""), turn);
  }

  private Reply use(String database, Turn turn) throws IOException, SQLException {
    Reply reply = take(database, turn);
    run("DROP DATABASE " + database + " WITH (FORCE)");
    return reply;
  }

  private Reply take(String database, Turn turn) throws IOException, SQLException {
    run("CHECKPOINT");
    Reply reply = turn.in(server.jdbcUrl(database));
    // A slot that nobody reads holds its database, and all that the server logs from then on.
    run(
        "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots"
            + " WHERE database = '%s'".formatted(database));
    return reply;
  }

  private String written(EntrantProcess process, int messages) throws IOException, SQLException {
    String database = server.createDatabase();
    process.tell("fill", server.jdbcUrl(database), messages);
    try (Connection connection = server.connect(database)) {
      Sql.run(connection, "VACUUM (ANALYZE)");
    }
    return database;
  }

  private void run(String sql) throws SQLException {
    try (Connection connection = server.connect("postgres")) {
      Sql.run(connection, sql);
    }
  }
}
