// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.outledger.chaos.run.Screen;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemoIT {

  @ParameterizedTest
  @ValueSource(strings = {"kafka", "nats"})
  void everyPromiseHoldsThoughProcessesAreKilled(String broker, @TempDir Path folder)
      throws Exception {
    Path json = folder.resolve("result.json");
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    Screen screen = new Screen(new PrintStream(said, true, StandardCharsets.UTF_8), false);

    boolean held = new Demo(new DemoOptions(broker, 60, 3, 1, false, json), screen).run();

    assertThat(held).as(said.toString(StandardCharsets.UTF_8)).isTrue();
    JsonNode result = new ObjectMapper().readTree(json.toFile());
    assertThat(result.get("verdict").asText()).isEqualTo("passed");
    assertThat(result.get("committed").asInt() + result.get("rolledBack").asInt()).isEqualTo(60);
    assertThat(result.get("effects")).isEqualTo(result.get("committed"));
    assertThat(result.get("killed"))
        .hasSize(3)
        .allSatisfy(kill -> assertThat(kill.get("inFlight").asInt()).isPositive());
  }
}
