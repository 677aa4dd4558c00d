// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import io.outledger.servers.Postgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** Lets every entrant drain a copy of its backlog, in turns. */
final class DrainBenchmark {

  private final Postgres server;
  private final ComparePlan plan;
  private final Consumer<String> progress;
  private final Map<String, String> backlogs = new HashMap<>();
  private final Map<Entrant, Integer> messages = new EnumMap<>(Entrant.class);

  DrainBenchmark(Postgres server, ComparePlan plan, Consumer<String> progress) {
    this.server = server;
    this.plan = plan;
    this.progress = progress;
  }

  /** Returns what each round took; the first, in which the JVMs compile, is not among them. */
  Map<Entrant, List<Drained>> run(List<ContenderProcess> processes)
      throws IOException, SQLException {
    Map<Entrant, List<Drained>> measured = new EnumMap<>(Entrant.class);
    for (int round = 0; round <= plan.rounds(); round++) {
      for (ContenderProcess process : inTurn(processes, round)) {
        Entrant entrant = process.entrant();
        int waiting = messages.getOrDefault(entrant, plan.warmUpMessages());
        Drained drained = turn(process, waiting);
        say(round, entrant, waiting, drained);
        if (round == 0) {
          messages.put(entrant, plan.messages(entrant, drained));
        } else {
          measured.computeIfAbsent(entrant, key -> new ArrayList<>()).add(drained);
        }
      }
    }
    return measured;
  }

  /** Who begins changes from round to round, and so does who comes after whom. */
  private static List<ContenderProcess> inTurn(List<ContenderProcess> processes, int round) {
    List<ContenderProcess> order = new ArrayList<>(processes);
    if (round % 2 != 0) {
      Collections.reverse(order);
    }
    Collections.rotate(order, 3 * round);
    return order;
  }

  private Drained turn(ContenderProcess process, int waiting) throws IOException, SQLException {
    String database = database(process, waiting);
    run("CHECKPOINT");
    Drained drained =
        Drained.of(
            process.tell(
                "drain", server.jdbcUrl(database), waiting, plan.turnMillisMax(), server.pid()));
    if (!backlogs.containsValue(database)) {
      run(
          "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots"
              + " WHERE database = '"
              + database
              + "'");
      run("DROP DATABASE " + database + " WITH (FORCE)");
    }
    return drained;
  }

  private String database(ContenderProcess process, int waiting) throws IOException, SQLException {
    Peer peer = process.entrant().peer();
    if (peer.backlog() == Peer.Waiting.WRITTEN_EACH_TIME) {
      return written(process, waiting);
    }
    String key = peer + " " + waiting;
    String kept = backlogs.get(key);
    if (kept == null) {
      progress.accept("%,d messages are written with %s".formatted(waiting, peer.title()));
      kept = written(process, waiting);
      backlogs.put(key, kept);
    }
    return peer.backlog() == Peer.Waiting.KEPT ? kept : server.createDatabaseFrom(kept);
  }

  private String written(ContenderProcess process, int waiting) throws IOException, SQLException {
    String database = server.createDatabase();
    process.tell("fill", server.jdbcUrl(database), waiting);
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute("VACUUM (ANALYZE)");
    }
    return database;
  }

  private void run(String sql) throws SQLException {
    try (Connection connection = server.connect("postgres");
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private void say(int round, Entrant entrant, int waiting, Drained drained) {
    progress.accept(
        String.format(
            Locale.ROOT,
            "%s %s: %,.0f/s (%,d of %,d in %.2f s), %.1f + %.1f us of processor, %,d reordered",
            round == 0 ? "warm-up" : "round " + round,
            entrant.id(),
            drained.perSecond(),
            drained.published(),
            waiting,
            drained.seconds(),
            drained.jvmMicrosPerMessage(),
            drained.serverMicrosPerMessage(),
            drained.reordered()));
  }
}
