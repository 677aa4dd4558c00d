// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.jdbc.Admin;
import io.outledger.jdbc.admin.MessageQuery;
import io.outledger.jdbc.admin.ParkedQuery;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.Reader;
import io.outledger.postgresql.PostgreSql;
import io.outledger.servers.Postgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

/** How long an operator waits for each answer, from a large ledger that many read. */
final class AdminBenchmark {

  private static final int MESSAGES = 10_000_000;
  private static final int ROUNDS = 100;
  private static final int WARM_UP = 10;
  private static final Path DEBIAN = Path.of("/usr/lib/postgresql/15");
  private static final int P99 = 99;

  private final int messages;
  private final int rounds;
  private final Consumer<String> progress;

  AdminBenchmark(int messages, int rounds, Consumer<String> progress) {
    this.messages = messages;
    this.rounds = rounds;
    this.progress = progress;
  }

  /** What is called, over and over. */
  private interface Call {
    void make() throws SQLException;
  }

  static Benchmark.Report run(Wish wish, Consumer<String> progress) throws SQLException {
    AdminBenchmark benchmark =
        new AdminBenchmark(wish.messages(MESSAGES), wish.rounds(ROUNDS), progress);
    Findings findings =
        new Findings(
            "what an operator reads, of %,d messages, 50 subscriptions, 10,000 parked",
            benchmark.messages);
    if (Files.isExecutable(DEBIAN.resolve("bin/postgres"))) {
      benchmark.measure(findings, "debian15", 15, true);
    }
    benchmark.measure(findings, "pg18", 18, false);
    return findings.report();
  }

  /**
   * Measures on one server.
   *
   * @param isInstalled whether it is the distribution's, not ours
   */
  void measure(Findings findings, String name, int version, boolean isInstalled)
      throws SQLException {
    var builder =
        Postgres.builder()
            .version(version)
            .setting("max_wal_size", "8GB")
            .setting("shared_buffers", "512MB");
    try (Postgres server = (isInstalled ? builder.installed(DEBIAN) : builder).start()) {
      String database = server.createDatabase();
      try (SmallPool pool = new SmallPool(server.jdbcUrl(database))) {
        PostgreSql.schema().apply(pool);
        progress.accept("filling " + name);
        AdminLedger.fill(pool, messages);
        for (Map.Entry<String, Call> call : calls(pool).entrySet()) {
          Sample sample = sample(call.getValue());
          String key = name + "." + call.getKey();
          String goal = call.getKey().equals("outledger_lag") ? "<= 50 ms" : "<= 200 ms";
          findings.add(key + ".p50", key + ", p50", "%.1f ms", sample.median(), "");
          findings.add(key + ".p99", key + ", p99", "%.1f ms", sample.percentile(P99), goal);
          progress.accept(
              "%s: p50 %.1f ms, p99 %.1f ms"
                  .formatted(key, sample.median(), sample.percentile(P99)));
        }
      }
    }
  }

  private Sample sample(Call call) throws SQLException {
    List<Double> millis = new ArrayList<>();
    for (int i = 0; i < WARM_UP + rounds; i++) {
      long start = System.nanoTime();
      call.make();
      if (i >= WARM_UP) {
        millis.add((System.nanoTime() - start) / 1e6);
      }
    }
    return Sample.of(millis);
  }

  private Map<String, Call> calls(SmallPool pool) throws SQLException {
    Admin admin = Admin.of(pool, "public");
    UUID id = id(pool, messages / 3);
    UUID waiting = id(pool, messages);
    UUID absent = new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits() ^ 1);
    Reader sending = Reader.subscription("s01");
    Reader receiving = Reader.consumer("c1");
    ParkedQuery parked = ParkedQuery.of(sending);
    Map<String, Call> calls = new LinkedHashMap<>();
    calls.put("outledger_lag", () -> all(pool, "SELECT * FROM outledger_lag"));
    calls.put(
        "outledger_published",
        () -> all(pool, "SELECT * FROM outledger_published WHERE position = " + messages / 3));
    calls.put(
        "outledger_pending",
        () -> all(pool, "SELECT * FROM outledger_pending WHERE subscription = 's01' LIMIT 100"));
    calls.put("overview", admin::overview);
    calls.put("subscriptions", admin::subscriptions);
    calls.put("message by position", () -> admin.message(messages / 3));
    calls.put("message by id", () -> admin.message(id));
    calls.put("message by id, none", () -> admin.message(absent));
    calls.put("first page", () -> admin.messages(MessageQuery.ALL.withPayload(1000)));
    calls.put(
        "page of a key", () -> admin.messages(MessageQuery.ALL.withKey("order-7").newestFirst()));
    calls.put("page of a key, none", () -> admin.messages(MessageQuery.ALL.withKey("none")));
    calls.put(
        "page of an hour",
        () ->
            admin.messages(
                MessageQuery.ALL.within(
                    AdminLedger.START.plusMillis(messages / 2),
                    AdminLedger.START.plusMillis(messages / 2).plus(Duration.ofHours(1)))));
    calls.put("parked", () -> admin.parked(parked));
    calls.put("parked, full page", () -> admin.parked(parked.withLimit(1000).withPayload(1000)));
    calls.put(
        "parked of a key", () -> admin.parked(parked.with(ParkedSelection.ALL.withKey("order-7"))));
    calls.put(
        "parked by error",
        () -> admin.parked(parked.with(ParkedSelection.ALL.withErrorText("code 77 "))));
    calls.put("parked by failure", () -> admin.parked(parked.withFailure("none of them")));
    calls.put("failures", () -> admin.failures(parked));
    calls.put("parked of a consumer", () -> admin.parked(ParkedQuery.of(receiving)));
    calls.put("failures of a consumer", () -> admin.failures(ParkedQuery.of(receiving)));
    calls.put("consumers", admin::consumers);
    calls.put("holes", admin::holes);
    calls.put("declarations", admin::declarations);
    calls.put("why, published", () -> admin.why(id));
    calls.put("why, waiting", () -> admin.why(waiting));
    calls.put("why, none", () -> admin.why(absent));
    calls.put("why, parked", () -> admin.why(AdminLedger.PARKED_FROM + 20));
    calls.put("why, a key", () -> admin.why("s01", "order-7"));
    return calls;
  }

  private static UUID id(SmallPool pool, long position) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT id FROM outledger_message WHERE position = " + position)) {
      row.next();
      return row.getObject(1, UUID.class);
    }
  }

  private static void all(SmallPool pool, String query) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      int count = 0;
      while (rows.next()) {
        count++;
      }
      if (count == 0) {
        throw new IllegalStateException(query + " found nothing");
      }
    }
  }
}
