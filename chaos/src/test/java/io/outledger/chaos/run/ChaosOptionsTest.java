// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.chaos.fault.Fault;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChaosOptionsTest {

  @Test
  void withoutOptionsEveryFaultMayComeForFiveMinutes() throws BadOptionException {
    ChaosOptions options = parse();

    assertThat(options.isRandom()).isTrue();
    assertThat(options.command()).isEqualTo("./outledger chaos --minutes 5 --seed 42");
  }

  @Test
  void theCommandOfARunGivesTheSameRun() throws BadOptionException {
    ChaosOptions options =
        parse("--minutes", "3", "--seed", "-7", "--faults", "disk-full,relay-killed");
    String[] words = options.command().split(" ", -1);

    assertThat(options.faults()).containsExactlyInAnyOrder(Fault.DISK_FULL, Fault.RELAY_KILLED);
    assertThat(parse(List.of(words).subList(2, words.length).toArray(String[]::new)))
        .isEqualTo(options);
  }

  @Test
  void anotherDatabaseHasFaultsOfItsOwn() throws BadOptionException {
    ChaosOptions options = parse("--db", "mariadb");

    assertThat(options.faults())
        .contains(Fault.TRANSACTION_PREPARED, Fault.DATABASE_KILLED, Fault.RESTORED)
        .doesNotContain(Fault.FAILED_OVER);
    assertThat(options.isRandom()).isTrue();
    assertThat(options.command()).isEqualTo("./outledger chaos --db mariadb --minutes 5 --seed 42");
    assertThat(parse().faults()).doesNotContain(Fault.LED_TO_REPLICA, Fault.REPLICA_PROMOTED);
    assertBad("there is no database 'oracle'", "--db", "oracle");
    assertBad(
        "the fault failed-over is not done on mysql", "--faults", "failed-over", "--db", "mysql");
  }

  @Test
  void whatCannotBeUsedIsSaid() {
    assertBad("there is no option --often", "--often");
    assertBad("--minutes needs a value", "--minutes");
    assertBad("--minutes takes 1 to 600, not 0", "--minutes", "0");
    assertBad("--seed takes a whole number, not 'x'", "--seed", "x");
    assertBad("there is no fault 'rain'", "--faults", "rain");
    assertBad("--json: a file cannot be written there", "--json", "/nowhere/at/all");
  }

  private static void assertBad(String message, String... words) {
    assertThatThrownBy(() -> parse(words))
        .isInstanceOf(BadOptionException.class)
        .hasMessageStartingWith(message);
  }

  private static ChaosOptions parse(String... words) throws BadOptionException {
    return ChaosOptions.parse(List.of(words), 42);
  }
}
