// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.partition;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.outledger.chaos.record.Project;
import io.outledger.chaos.record.RunRecord;
import io.outledger.chaos.record.Versions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/** What {@code chaos/partitions} runs. */
public final class PartitionsMain {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int PORTION = 600;
  private static final int WRONG_MAX = 10;

  private PartitionsMain() {}

  /**
   * Runs it; the exit code is 1 where a key is not as it must be.
   *
   * @param args how many mishaps, how many partitions, the seed, and whether the run is recorded
   */
  public static void main(String... args) throws IOException, SQLException {
    Path folder = Files.createTempDirectory("outledger-partitions-");
    PartitionRun.Plan plan =
        new PartitionRun.Plan(
            Integer.parseInt(args[0]),
            Integer.parseInt(args[1]),
            PORTION,
            Long.parseLong(args[2]),
            folder);
    PrintStream out = System.out;
    boolean isRight;
    try (PartitionRun run = new PartitionRun(plan, out::println)) {
      List<String> wrong = run.run();
      isRight = wrong.isEmpty();
      out.printf(
          "%d messages, %d effects, in %d processes%n",
          run.work().committed(), run.work().effects(), run.work().hands());
      run.waits()
          .measured(plan.partitions())
          .forEach(
              wait ->
                  out.printf(
                      "%s: median %d ms, longest %d ms, %d of %d within the goal of %d ms%n",
                      wait.name(),
                      wait.medianMs(),
                      wait.maxMs(),
                      wait.withinGoal(),
                      wait.count(),
                      wait.goalMs()));
      wrong.stream().limit(WRONG_MAX).forEach(out::println);
      out.println(isRight ? "every key is as it must be" : "A PROMISE WAS BROKEN; see " + folder);
      if (Boolean.parseBoolean(args[3])) {
        Project.here().record(record(plan, run, wrong));
      }
    }
    System.exit(isRight ? 0 : 1);
  }

  private static RunRecord record(PartitionRun.Plan plan, PartitionRun run, List<String> wrong)
      throws SQLException {
    ObjectNode node = JSON.createObjectNode();
    node.put("kind", "partitions");
    node.put("at", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    node.put(
        "command",
        "chaos/partitions --mishaps %d --partitions %d --seed %d"
            .formatted(plan.mishaps(), plan.partitions(), plan.seed()));
    node.put("held", wrong.isEmpty());
    Versions versions = Versions.with(Map.of("postgresql", run.version()));
    node.set("versions", JSON.valueToTree(versions.names()));
    ObjectNode trials = node.withObject("/trials");
    run.waits().met().forEach((mishap, count) -> trials.put(mishap.word(), count));
    // Measured, and no part of what held: a machine that is busy is slow.
    node.set("liveness", JSON.valueToTree(run.waits().measured(plan.partitions())));
    wrong.stream().limit(WRONG_MAX).forEach(each -> node.withArray("/broken").add(each));
    if (wrong.isEmpty()) {
      node.put(
          "about",
          "%d messages, each with one effect, in the order of its key, in %d processes"
              .formatted(run.work().committed(), run.work().hands()));
    }
    return new RunRecord(node);
  }
}
