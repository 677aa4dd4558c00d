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
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemoIT {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--db postgresql --broker kafka --orders 60 --kills 3 --seed 1",
        "--db mariadb --broker nats --orders 400 --kills 2 --seed 1"
      })
  void everyPromiseHoldsThoughProcessesAreKilled(String options, @TempDir Path folder)
      throws Exception {
    everyPromiseHolds(options, folder);
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "--db postgresql --broker kafka --orders 60 --kills 3 --seed 1 --connect",
        "--db postgresql --broker nats --orders 60 --kills 3 --seed 1",
        "--db sqlite --broker nats --orders 40 --kills 2 --seed 1",
        "--db mysql --broker nats --orders 400 --kills 3 --seed 1",
        "--db h2 --broker nats --orders 60 --kills 3 --seed 1"
      })
  void everyPromiseHoldsOnTheOthers(String options, @TempDir Path folder) throws Exception {
    everyPromiseHolds(options, folder);
  }

  private static void everyPromiseHolds(String line, Path folder) throws Exception {
    Path json = folder.resolve("result.json");
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    Screen screen = new Screen(new PrintStream(said, true, StandardCharsets.UTF_8), false);

    DemoOptions options = DemoOptions.parse(List.of((line + " --json " + json).split(" ")), 1);

    boolean held = new Demo(options, screen).run();

    assertThat(held).as(said.toString(StandardCharsets.UTF_8)).isTrue();
    JsonNode result = new ObjectMapper().readTree(json.toFile());
    assertThat(result.get("verdict").asText()).isEqualTo("passed");
    assertThat(result.get("db").asText()).isEqualTo(options.db());
    assertThat(result.get("committed").asInt() + result.get("rolledBack").asInt())
        .isEqualTo(options.orders());
    assertThat(result.get("effects")).isEqualTo(result.get("committed"));
    assertThat(result.get("killed"))
        .hasSize(options.kills())
        .allSatisfy(kill -> assertThat(kill.get("inFlight").asInt()).isPositive());
  }
}
