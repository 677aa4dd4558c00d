// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.chaos.run.BadOptionException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemoOptionsTest {

  @Test
  void nothingNeedsToBeSaid() throws Exception {
    assertThat(parse())
        .isEqualTo(new DemoOptions("postgresql", "kafka", 2_000, 8, 7, false, false, null));
  }

  @Test
  void everythingCanBeSaid(@TempDir Path folder) throws Exception {
    Path json = folder.resolve("out.json");

    assertThat(
            parse(
                "--db",
                "sqlite",
                "--orders",
                "10",
                "--kills=0",
                "--seed",
                "-3",
                "--keep",
                "--json",
                json.toString()))
        .isEqualTo(new DemoOptions("sqlite", "kafka", 10, 0, -3, false, true, json));
  }

  @Test
  void connectIsSaidAgainInTheLineThatRepeatsTheRun() throws Exception {
    assertThat(parse("--connect").line()).endsWith(" --seed 7 --connect");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--order",
        "--broker",
        "--broker carrier-pigeon",
        "--db",
        "--db punched-cards",
        "--orders",
        "--orders 0",
        "--orders 1000001",
        "--orders many",
        "--kills -1",
        "--kills 1.5",
        "--seed now",
        "--seed",
        "--json",
        "--json /no/such/folder/out.json",
        "--json /",
        "--keep=yes",
        "--connect=yes",
        "--connect --db sqlite",
        "--connect --broker nats",
        "2000"
      })
  void aBadOptionIsNamed(String line) {
    assertThatThrownBy(() -> parse(line.split(" ", -1)))
        .isInstanceOf(BadOptionException.class)
        .hasMessageContaining(line.split("[ =]", -1)[0]);
  }

  private static DemoOptions parse(String... args) throws BadOptionException {
    return DemoOptions.parse(List.of(args), 7);
  }
}
