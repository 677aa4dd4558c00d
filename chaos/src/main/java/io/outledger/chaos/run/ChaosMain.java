// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.run;

import io.outledger.chaos.database.Product;
import io.outledger.chaos.fault.Fault;
import io.outledger.chaos.fault.Stories;
import io.outledger.chaos.record.Project;
import io.outledger.chaos.record.RunRecord;
import io.outledger.chaos.record.Versions;
import io.outledger.chaos.run.ChaosOptions.Recording;
import io.outledger.chaos.shop.Cast;
import io.outledger.chaos.shop.ShopPlan;
import io.outledger.servers.SmallDisk;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The command {@code ./outledger chaos}. */
public final class ChaosMain {

  private static final int HELD = 0;
  private static final int BROKEN = 1;
  private static final int MISUSED = 2;

  /**
   * A relay that has just started on a machine with less than a processor may take three seconds to
   * read its first page, and a save that parks thousands is a round trip a row on MySQL.
   */
  private static final Duration LEASE = Duration.ofSeconds(5);

  private static final Cast CAST = Cast.of(3, 2, 3).withOperator();

  /** What two processors can keep up with there. */
  private static final Cast MYSQL_CAST = Cast.of(2, 1, 2).withOperator();

  private static final int DISK_MIB = 2 * 1024;

  private final ChaosOptions options;
  private final Screen screen;
  private final Map<Fault, String> impossible;

  private ChaosMain(ChaosOptions options, Screen screen) {
    this.options = options;
    this.screen = screen;
    this.impossible = Stories.impossible();
    impossible.keySet().retainAll(options.faults());
  }

  /**
   * Runs, and ends the process: 0 only if every promise held.
   *
   * @param args the options
   */
  public static void main(String[] args) throws Exception {
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    List<String> words = Arrays.asList(args);
    if (words.contains("--help") || words.contains("-h")) {
      out.print(ChaosOptions.USAGE);
      out.flush();
      System.exit(HELD);
    }
    try {
      ChaosOptions options = ChaosOptions.parse(words, Math.floorMod(System.nanoTime(), 1_000_000));
      if (options.record() == Recording.PAGE_ALONE) {
        Project.here().writePage();
        System.exit(HELD);
      }
      Screen screen = new Screen(out, Boolean.getBoolean("outledger.terminal"));
      System.exit(new ChaosMain(options, screen).run() ? HELD : BROKEN);
    } catch (IllegalStateException | SQLException | AssertionError e) {
      System.err.println("outledger chaos: it could not be run to its end: " + e);
      System.exit(BROKEN);
    } catch (BadOptionException e) {
      System.err.println("outledger chaos: " + e.getMessage());
      System.err.println("Try: ./outledger chaos --help");
      System.exit(MISUSED);
    }
  }

  private boolean run() throws IOException, SQLException, InterruptedException {
    screen.line("");
    screen.line(
        "Outledger chaos on %s: %d minutes, seed %d"
            .formatted(options.product().word(), options.minutes(), options.seed()));
    impossible.forEach((fault, why) -> screen.line("  not run: " + fault.word() + ", " + why));
    Set<Fault> possible = EnumSet.copyOf(options.faults());
    possible.removeAll(impossible.keySet());
    if (possible.isEmpty()) {
      screen.line("  nothing is left to be done");
      return false;
    }
    RunFolder folder = RunFolder.create();
    screen.line("  histories and outputs: " + folder.path());
    if (!possible.contains(Fault.DISK_FULL)) {
      return run(folder, possible, null);
    }
    try (SmallDisk disk = SmallDisk.ofMib(DISK_MIB)) {
      return run(folder, possible, disk);
    }
  }

  private boolean run(RunFolder folder, Set<Fault> faults, @Nullable SmallDisk disk)
      throws IOException, SQLException, InterruptedException {
    Schedule schedule =
        Schedule.during(options.seed(), Duration.ofMinutes(options.minutes()), faults);
    Product product = options.product();
    ShopPlan plan =
        product == Product.POSTGRESQL
            ? new ShopPlan(product, folder.path(), LEASE, CAST, disk)
            : new ShopPlan(product, folder.path(), LEASE, MYSQL_CAST, null);
    LiveView view = new LiveView(screen);
    Outcome outcome;
    try (ChaosRun run = new ChaosRun(plan, options.seed(), schedule, view)) {
      view.start(run.shop());
      try {
        outcome = run.run();
      } finally {
        view.end();
      }
      List<String> table = new ResultTable(outcome, impossible).lines();
      table.forEach(screen::line);
      folder.write("result", table);
      report(outcome, Versions.of(run.shop()));
    }
    conclude(outcome, folder); // nobody writes into it any more
    return outcome.held();
  }

  private void report(Outcome outcome, Versions versions) throws IOException {
    RunRecord record = new Recorded(options, outcome, impossible).on(versions);
    if (options.json() != null) {
      Files.writeString(options.json(), record.json() + "\n");
    }
    if (options.record() == Recording.RUN) {
      Project.here().record(record);
    }
  }

  private void conclude(Outcome outcome, RunFolder folder) {
    if (outcome.held()) {
      folder.delete();
      screen.line("Every promise held. The same again: " + options.command());
    } else {
      screen.line("A PROMISE WAS BROKEN, or the run could not be done to its end: see above.");
      screen.line("The same again: " + options.command());
      screen.line("Histories and outputs are kept in " + folder.path());
    }
  }
}
