// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.scheduled;

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

/** What {@code chaos/scheduled} runs. */
public final class ScheduledMain {

  private static final ObjectMapper JSON = new ObjectMapper();

  private ScheduledMain() {}

  /**
   * Runs it; the exit code is 1 where a promise was broken.
   *
   * @param args how many messages, how many kills, the seed, how many messages wait beside them,
   *     and whether the run is recorded
   */
  public static void main(String... args) throws IOException, SQLException {
    int count = Integer.parseInt(args[0]);
    int kills = Integer.parseInt(args[1]);
    long seed = Long.parseLong(args[2]);
    int waiting = Integer.parseInt(args[3]);
    Path folder = Files.createTempDirectory("outledger-scheduled-");
    PrintStream out = System.out;
    ScheduledRun.Plan plan = new ScheduledRun.Plan(count, kills, waiting, seed, folder);
    ScheduledResult result;
    try (ScheduledRun run = new ScheduledRun(plan, out::println)) {
      result = run.run();
    }
    List<String> wrong = result.wrong();
    out.println(result.counts());
    result.lateness().waits().forEach(out::println);
    out.println(result.kills());
    wrong.forEach(out::println);
    out.println(wrong.isEmpty() ? "every promise holds" : "A PROMISE WAS BROKEN; see " + folder);
    if (Boolean.parseBoolean(args[4])) {
      Project.here().record(record(plan, result));
    }
    System.exit(wrong.isEmpty() ? 0 : 1);
  }

  private static RunRecord record(ScheduledRun.Plan plan, ScheduledResult result) {
    ObjectNode node = JSON.createObjectNode();
    node.put("kind", "scheduled");
    node.put("at", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    node.put(
        "command",
        "chaos/scheduled --count %d --kills %d --seed %d"
            .formatted(plan.count(), plan.kills(), plan.seed())
            .concat(plan.waiting() == 0 ? "" : " --waiting " + plan.waiting()));
    node.put("held", result.wrong().isEmpty());
    Versions versions = Versions.with(Map.of("postgresql", result.postgresql()));
    node.set("versions", JSON.valueToTree(versions.names()));
    ObjectNode trials = node.withObject("/trials");
    trials.put(RunRecord.SCHEDULED, result.counts().scheduled());
    trials.put(RunRecord.SCHEDULED_KILL, result.kills().processes());
    trials.put(RunRecord.SCHEDULED_MOVER_KILL, result.kills().movers());
    trials.put(RunRecord.SCHEDULED_DATABASE_KILL, result.kills().databases());
    node.set("liveness", JSON.valueToTree(result.lateness().waits()));
    result.wrong().forEach(each -> node.withArray("/broken").add(each));
    if (result.wrong().isEmpty()) {
      node.put("about", result.counts().toString());
    }
    return new RunRecord(node);
  }
}
