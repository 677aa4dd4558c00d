// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.outledger.chaos.record.RunRecord;
import io.outledger.chaos.record.Versions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Seeds as they are recorded.
 *
 * @param seeds what was asked for
 * @param outcome what came of it
 */
record RecordedSeeds(Seeds seeds, Seeds.Outcome outcome) {

  private static final ObjectMapper JSON = new ObjectMapper();

  RunRecord on(Versions versions) {
    ObjectNode node = JSON.createObjectNode();
    node.put("kind", "simulation");
    node.put("at", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    node.put("command", "chaos/sim --seeds %d --from %d".formatted(seeds.count(), seeds.first()));
    node.put("held", outcome.firstFailure().isEmpty());
    node.set("versions", JSON.valueToTree(versions.names()));
    long held =
        outcome.firstFailure().map(failed -> failed.seed() - seeds.first()).orElse(seeds.count());
    node.withObject("/trials").put(RunRecord.SEED, held);
    outcome.firstFailure().ifPresent(failed -> node.withArray("/broken").add(failed.toString()));
    return new RunRecord(node);
  }
}
