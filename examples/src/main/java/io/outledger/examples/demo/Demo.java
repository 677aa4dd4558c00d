// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import io.outledger.chaos.run.BadOptionException;
import io.outledger.chaos.run.Screen;
import io.outledger.servers.Postgres;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;

/** The command {@code ./outledger demo}. */
public final class Demo {

  private static final int HELD = 0;
  private static final int BROKEN = 1;
  private static final int MISUSED = 2;

  private final DemoOptions options;
  private final Screen screen;
  private final long start = System.nanoTime();

  Demo(DemoOptions options, Screen screen) {
    this.options = options;
    this.screen = screen;
  }

  /**
   * Runs the demo and ends the process: 0 only if every promise held.
   *
   * @param args the options
   */
  public static void main(String[] args) throws Exception {
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    List<String> words = Arrays.asList(args);
    if (words.contains("--help") || words.contains("-h")) {
      out.print(DemoOptions.USAGE);
      out.flush();
      System.exit(HELD);
    }
    try {
      DemoOptions options = DemoOptions.parse(words, Math.floorMod(System.nanoTime(), 1_000_000L));
      Screen screen = new Screen(out, Boolean.getBoolean("outledger.terminal"));
      System.exit(new Demo(options, screen).run() ? HELD : BROKEN);
    } catch (IllegalStateException | CompletionException | SQLException | AssertionError e) {
      System.err.println("outledger demo: it could not be run to its end: " + reason(e));
      System.exit(BROKEN);
    } catch (BadOptionException e) {
      System.err.println("outledger demo: " + e.getMessage());
      System.err.println("Try: ./outledger demo --help");
      System.exit(MISUSED);
    }
  }

  private static String reason(Throwable failure) {
    Throwable told =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return told.getMessage() == null ? told.toString() : told.getMessage();
  }

  /** Runs it all, and returns whether every promise held. */
  boolean run() throws IOException, SQLException, InterruptedException {
    screen.line("");
    screen.line(
        "Outledger demo: %,d orders, %d kills, seed %d"
            .formatted(options.orders(), options.kills(), options.seed()));
    screen.line("");
    RunFolder folder = RunFolder.create();
    try (DemoShop shop = DemoShop.start(folder.path(), options, this::started)) {
      Result result = run(shop);
      new ResultTable(result).lines().forEach(screen::line);
      if (options.json() != null) {
        Files.writeString(options.json(), result.json());
      }
      if (result.held()) {
        folder.allIsWell();
      } else {
        screen.line("The logs of the services are in " + folder.path());
      }
      if (options.keep()) {
        keep(shop);
      }
      return result.held();
    }
  }

  /** Says how to count, and how to run the programs of the quick starts on the same servers. */
  private void keep(DemoShop shop) throws SQLException, InterruptedException {
    new Addresses(shop).lines().forEach(screen::line);
    Optional<Postgres> postgres = shop.database().postgres();
    Optional<String> kafka = shop.broker().kafka();
    if (postgres.isPresent() && kafka.isPresent()) {
      FirstSteps.prepare(postgres.get(), kafka.get()).lines().forEach(screen::line);
    }
    new CountDownLatch(1).await();
  }

  private Result run(DemoShop shop) throws SQLException, InterruptedException {
    try (DemoRun run = new DemoRun(shop, options, screen, start)) {
      return run.run();
    }
  }

  private void started(String what, String details, long afterMs) {
    screen.line("  started  %-20s %-46s %5.1f s".formatted(what, details, afterMs / 1e3));
  }
}
