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
   * @param startProcessorMillis of the thread that starts it
   * @param heapBytes in use after collections, once idle
   * @param threads once idle
   * @param inUse connections that the application keeps from its pool, once idle
   * @param connections that the server has of it then
   */
  record Idle(
      long startMillis,
      long startProcessorMillis,
      long heapBytes,
      long threads,
      long inUse,
      long connections) {}

  /**
   * One of the two ways, the medians of one start.
   *
   * @param perSecond transactions a second
   * @param processorMicros of the application's thread for each
   */
  record Rate(double perSecond, double processorMicros) {}

  /** The two ways, taken in turns. */
  record Appends(Rate append, Rate update) {

    double ratio() {
      return append.perSecond() / update.perSecond();
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
      List<Long> start = numbers(started);
      List<Long> figures = numbers(idle);
      return new Idle(
          start.get(0),
          start.get(1),
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

  private static List<Long> numbers(String line) {
    return Arrays.stream(line.split(" ", -1)).skip(1).map(Long::valueOf).toList();
  }

  private static Rate rate(List<String> lines, String prefix) {
    String line = lines.stream().filter(each -> each.startsWith(prefix)).findFirst().orElseThrow();
    List<String> words = List.of(line.split(" ", -1));
    return new Rate(Double.parseDouble(words.get(1)), Double.parseDouble(words.get(2)));
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
