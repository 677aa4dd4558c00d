// SPDX-License-Identifier: Apache-2.0
package io.outledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;

class ProblemsTest {

  private final Problems problems = Problems.of("the oven");

  @Test
  void withoutAProblemNothingIsRefused() {
    problems.require(true, "is cold");
    problems.check(() -> Name.check("route", "mail"));
    assertThat(problems.attempt(() -> "warm")).contains("warm");
    assertThatCode(problems::refuse).doesNotThrowAnyException();
  }

  @Test
  void everyProblemIsListedWithTheSubject() {
    problems.require(false, "is cold");
    problems.add("has no door");
    assertThat(problems.count()).isEqualTo(2);
    assertThatThrownBy(problems::refuse)
        .isInstanceOf(ConfigurationException.class)
        .hasMessage("OUT-021 the oven: is cold; has no door");
  }

  @Test
  void theOnlyProblemOfACheckIsThrownAsItIs() {
    assertThat(problems.attempt(() -> Name.check("route", ""))).isEmpty();
    assertThatThrownBy(problems::refuse).hasMessageStartingWith("OUT-006 the name of the route");
  }

  @Test
  void ofDifferentCodesEachKeepsItsOwn() {
    problems.check(() -> Name.check("route", ""));
    problems.check(ProblemsTest::failWithoutDoor);
    ConfigurationException refused =
        catchThrowableOfType(ConfigurationException.class, problems::refuse);
    assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION);
    assertThat(refused)
        .hasMessageStartingWith("OUT-021 the oven: OUT-006 the name of the route is \"\"")
        .hasMessageEndingWith("; door must not be null");
    assertThat(refused.getSuppressed()).hasSize(2);
  }

  @Test
  void problemsOfOneCodeKeepIt() {
    problems.check(() -> Name.check("route", ""));
    problems.check(() -> Name.check("handler", " "));
    assertThatThrownBy(problems::refuse)
        .hasMessageStartingWith("OUT-006 the oven: the name of the route")
        .hasMessageContaining("; the name of the handler");
  }

  @Test
  void otherFailuresPassThrough() {
    IllegalStateException failure = new IllegalStateException("fire");
    assertThatThrownBy(
            () ->
                problems.check(
                    () -> {
                      throw failure;
                    }))
        .isSameAs(failure);
  }

  private static void failWithoutDoor() {
    throw new ConfigurationException(ErrorCode.INVALID_CONFIGURATION, "door must not be null");
  }
}
