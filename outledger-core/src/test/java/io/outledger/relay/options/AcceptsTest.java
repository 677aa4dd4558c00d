// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.store.Declaration;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AcceptsTest {

  private static String name(int from, int to) {
    String[] topics = new String[to - from];
    Arrays.setAll(topics, i -> "topic." + (from + i));
    return Accepts.topics(topics).name();
  }

  @Test
  void filterIsNamedByAllThatItLetsPass() {
    assertThat(Accepts.topics("b", "a").name()).isEqualTo("TOPIC a, b");
    assertThat(Accepts.everything().name()).isEqualTo("EVERYTHING");
  }

  /** It would take nothing, without a word. */
  @ParameterizedTest
  @ValueSource(strings = {"order.placed", "order.placed v", "order.placed 1", "", " v1"})
  void typeWithoutItsVersionIsRefused(String type) {
    assertThatThrownBy(() -> Accepts.types(Set.of(type, "order.paid v1")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageStartingWith("OUT-021 types has \"" + type + "\", which names no version")
        .hasMessageContaining("Declaration.type(name, version)");
    assertThat(Accepts.types(Set.of(Declaration.type("a\nb v", 12))).name()).endsWith("v12");
  }

  @Test
  void filtersThatLetPassDifferentTopicsHaveDifferentNames() {
    assertThat(
            Stream.of(
                    Accepts.topics("a", "b"),
                    Accepts.topics("a, b"),
                    Accepts.topics("a\\", "b"),
                    Accepts.topics("a\\, b"),
                    Accepts.topics("a", "b "),
                    Accepts.topics("a", "b\\"),
                    Accepts.topics("a", " b"),
                    Accepts.topics(" "),
                    Accepts.topics(""))
                .map(each -> each.name().stripTrailing()))
        .doesNotHaveDuplicates();
  }

  @Test
  void filterOfManyNamesHasAShortNameOfItsOwn() {
    assertThat(name(0, 1000))
        .startsWith("TOPIC topic.0, topic.1, ")
        .hasSize(250)
        .isNotEqualTo(name(0, 999));
    String[] reverse = new String[1000];
    Arrays.setAll(reverse, i -> "topic." + (999 - i));
    assertThat(Accepts.topics(reverse).name()).isEqualTo(name(0, 1000));
  }

  @Test
  void noCharacterIsCutInTwo() {
    for (String first : new String[] {"a", "aa"}) {
      String[] topics = Stream.of(first, "\uD83D\uDE00".repeat(150)).toArray(String[]::new);
      assertThat(Accepts.topics(topics).name().codePoints())
          .noneMatch(c -> Character.getType(c) == Character.SURROGATE);
    }
  }
}
