// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.saga;

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

/** What {@code chaos/sagas} runs. */
public final class SagasMain {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int WRONG_MAX = 10;
  private static final int PROCESSES = 3;

  private SagasMain() {}

  /**
   * Runs it; the exit code is 1 where a saga is not as it must be.
   *
   * @param args how many sagas, how many kills, the seed, and whether the run is recorded
   */
  public static void main(String... args) throws IOException, SQLException {
    int count = Integer.parseInt(args[0]);
    int kills = Integer.parseInt(args[1]);
    long seed = Long.parseLong(args[2]);
    Path folder = Files.createTempDirectory("outledger-sagas-");
    PrintStream out = System.out;
    SagaRun.Plan plan = new SagaRun.Plan(count, kills, PROCESSES, seed, folder);
    SagaResult result;
    try (SagaRun run = new SagaRun(plan, out::println)) {
      result = run.run();
    }
    List<String> wrong = result.wrong(count);
    out.println(result.counts());
    out.println(result.kills());
    wrong.stream().limit(WRONG_MAX).forEach(out::println);
    out.println(
        wrong.isEmpty() ? "every saga is as it must be" : "A PROMISE WAS BROKEN; see " + folder);
    if (Boolean.parseBoolean(args[3])) {
      Project.here().record(record(plan, result, wrong));
    }
    System.exit(wrong.isEmpty() ? 0 : 1);
  }

  private static RunRecord record(SagaRun.Plan plan, SagaResult result, List<String> wrong) {
    ObjectNode node = JSON.createObjectNode();
    node.put("kind", "sagas");
    node.put("at", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    node.put(
        "command",
        "chaos/sagas --count %d --kills %d --seed %d"
            .formatted(plan.count(), plan.kills(), plan.seed()));
    node.put("held", wrong.isEmpty());
    Versions versions = Versions.with(Map.of("postgresql", result.postgresql()));
    node.set("versions", JSON.valueToTree(versions.names()));
    ObjectNode trials = node.withObject("/trials");
    trials.put(RunRecord.SAGA, result.trails().size());
    trials.put(RunRecord.SAGA_KILL, result.kills().processes());
    trials.put(RunRecord.SAGA_DATABASE_KILL, result.kills().databases());
    wrong.stream().limit(WRONG_MAX).forEach(each -> node.withArray("/broken").add(each));
    if (wrong.isEmpty()) {
      node.put("about", result.counts());
    }
    return new RunRecord(node);
  }
}
