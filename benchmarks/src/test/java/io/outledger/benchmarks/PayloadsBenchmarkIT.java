// SPDX-License-Identifier: Apache-2.0
package io.outledger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PayloadsBenchmarkIT {

  private final List<String> said = new ArrayList<>();

  @Test
  void eachWayIsMeasuredBesidePlainJson() throws Exception {
    Findings findings =
        new PayloadsBenchmark(new PayloadsBenchmark.Plan(50, 200, 1), said::add).run();

    assertThat(findings.json())
        .contains(
            "\"json_bytes\"",
            "\"json_schema_append_part\"",
            "\"json_schema_together_part\"",
            "\"avro_write\"",
            "\"protobuf_read\"")
        .doesNotContain("\"json_append_part\"");
    assertThat(said).hasSize(4 * 4);
  }

  /** The figures are of one and the same order. */
  @Test
  void eachWayReadsWhatItWrites() {
    for (MeasuredPayload each : MeasuredPayload.all()) {
      assertThat(each.read(each.serializer().write(each.event()))).isEqualTo(each.event());
    }
  }
}
