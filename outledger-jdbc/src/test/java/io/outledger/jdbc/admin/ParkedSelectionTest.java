// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParkedSelectionTest {

  private static Map<String, UnaryOperator<ParkedSelection>> narrowedTo(String text) {
    return Map.of(
        "route", all -> all.withRoute(text),
        "type", all -> all.withType(text),
        "topic", all -> all.withTopic(text),
        "key", all -> all.withKey(text),
        "errorText", all -> all.withErrorText(text),
        "failure", all -> all.withFailure(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\0", "a\0b", "\ud800", "a\udc00"})
  void textThatNoDatabaseStoresIsRefusedByItsName(String text) {
    narrowedTo(text)
        .forEach(
            (name, narrowing) ->
                assertThatThrownBy(() -> narrowing.apply(ParkedSelection.ALL))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageStartingWith("OUT-021 " + name + " contains a NUL"));
  }

  @Test
  void anyOtherTextIsTaken() {
    for (String text : new String[] {"", " ", "%", "'", "ü\ud83d\ude00", "a\nb"}) {
      assertThat(narrowedTo(text))
          .allSatisfy(
              (name, narrowing) ->
                  assertThat(narrowing.apply(ParkedSelection.ALL))
                      .isNotEqualTo(ParkedSelection.ALL));
    }
  }
}
