// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import io.outledger.servers.ChildJvm;
import io.outledger.servers.ChildJvmBuilder;
import io.outledger.servers.Postgres;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Starts the measured applications and reads what they print. Not thread-safe. */
final class SpringRun {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String APPEND = "io.outledger.springbenchmark.append.AppendApplication";

  private final SpringBenchmark.Plan plan;
  private final String servers;
  private final Map<SpringVariant, WaitingLedger> ledgers = new EnumMap<>(SpringVariant.class);
  private final WaitingLedger appended;

  SpringRun(SpringBenchmark.Plan plan, Postgres server, String servers) {
    this.plan = plan;
    this.servers = servers;
    for (SpringVariant variant : SpringVariant.values()) {
      ledgers.put(variant, WaitingLedger.empty(server));
    }
    appended = WaitingLedger.empty(server);
  }

  /**
   * What one start brought.
   *
   * @param startMillis from the start of the JVM until {@code SpringApplication.run} returned
   * @param heapBytes in use after collections, once idle
   * @param threads once idle
   * @param inUse connections that the application keeps from its pool, once idle
   * @param connections that the server has of it then
   */
  record Idle(long startMillis, long heapBytes, long threads, long inUse, long connections) {}

  /** Transactions a second of the two ways, the medians of one start. */
  record Appends(double appends, double updates) {

    double ratio() {
      return appends / updates;
    }
  }

  /** Starts an application and looks at it once it is idle. */
  Idle idle(SpringVariant variant) throws IOException, SQLException {
    WaitingLedger ledger = ledgers.get(variant);
    if (ledger == null) {
      throw new IllegalStateException("no database for " + variant);
    }
    ChildJvmBuilder application =
        application(variant.main(), variant != SpringVariant.PLAIN, ledger)
            .args(Long.toString(plan.idle().toMillis()));
    if (variant == SpringVariant.KAFKA) {
      application.property("spring.kafka.bootstrap-servers", servers);
    }
    try (ChildJvm child = application.start()) {
      String started = child.waitFor(line -> line.startsWith("started "), PATIENCE);
      String idle = child.waitFor(line -> line.startsWith("idle "), PATIENCE);
      List<Long> figures = Arrays.stream(idle.split(" ", -1)).skip(1).map(Long::valueOf).toList();
      return new Idle(
          Long.parseLong(started.split(" ", -1)[1]),
          figures.get(0),
          figures.get(1),
          figures.get(2),
          ledger.number(
              "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                  + " AND backend_type = 'client backend' AND pid <> pg_backend_pid()"));
    }
  }

  /** Has an application append and update in turns. */
  Appends appends(boolean withRelay) throws IOException {
    try (ChildJvm child =
        application(APPEND, true, appended)
            .property("outledger.relay.enabled", Boolean.toString(withRelay))
            .args(Long.toString(plan.warmUp().toMillis()), Long.toString(plan.appends().toMillis()))
            .start()) {
      int exit = child.awaitExit(PATIENCE);
      if (exit != 0) {
        throw new IllegalStateException("the application failed:\n" + child.outputTail());
      }
      List<String> lines = child.outputTail().lines().toList();
      return new Appends(rate(lines, "append "), rate(lines, "update "));
    }
  }

  private static double rate(List<String> lines, String prefix) {
    return lines.stream()
        .filter(line -> line.startsWith(prefix))
        .mapToDouble(line -> Double.parseDouble(line.substring(prefix.length())))
        .findFirst()
        .orElseThrow();
  }

  private ChildJvmBuilder application(String main, boolean withStarter, WaitingLedger ledger)
      throws IOException {
    Path target = plan.module().resolve("target");
    String libraries = withStarter ? "class-path-with" : "class-path-without";
    String classPath =
        target.resolve("classes")
            + File.pathSeparator
            + Files.readString(target.resolve(libraries));
    return ChildJvm.of(main, classPath.strip())
        .environment("SPRING_DATASOURCE_URL", ledger.jdbcUrl())
        .property("outledger.schema-initialization", "always");
  }
}
