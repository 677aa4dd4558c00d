// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailureGroupTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "java.io.IOException: timeout after 301 ms | java.io.IOException: timeout after # ms",
        "no item 018f2c1e-aaaa-7bbb-8ccc-0123456789ab | no item #",
        "OUT-013 the row of key k17 cannot be read | OUT-013 the row of key # cannot be read",
        "refused by 10.0.0.7:9092 (try 3) | refused by # (try #)",
        "no number at all | no number at all"
      })
  void errorsThatDifferInNumbersAreAlike(String error, String failure) {
    assertThat(FailureGroup.of(error)).isEqualTo(failure);
  }

  @ParameterizedTest
  @CsvSource({"1", "7", "299", "300", "301", "100000"})
  void onlyTheBeginningOfTheFirstLineCounts(int length) {
    String line = "x".repeat(length);
    assertThat(FailureGroup.of(line + "\n at 17")).isEqualTo("x".repeat(Math.min(length, 300)));
  }
}
