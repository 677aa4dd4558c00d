// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.MessageLimits;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StartTest {

  @Test
  void positionsBeginWithOne() {
    assertThat(Start.at(1)).isEqualTo(new Start.AtPosition(1));
    assertThatThrownBy(() -> Start.at(0))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage("OUT-021 position is 0 but must be 1 or more");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-1000000000-01-01T00:00:00Z", // Instant.MIN
        "+1000000000-12-31T23:59:59.999999999Z", // Instant.MAX
        "0000-12-31T23:59:59.999999Z",
        "+10000-01-01T00:00:00Z"
      })
  void timeThatNoMessageHasIsRefused(String time) {
    assertThatThrownBy(() -> Start.at(Instant.parse(time)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage("OUT-021 time is " + time + " but must be in the years 1 to 9999, UTC");
  }

  @Test
  void timesOfTheFirstAndTheLastMessageAreTaken() {
    assertThat(Start.at(MessageLimits.TIME_MIN))
        .isEqualTo(new Start.AtTime(MessageLimits.TIME_MIN));
    assertThat(Start.at(MessageLimits.TIME_MAX))
        .isEqualTo(new Start.AtTime(MessageLimits.TIME_MAX));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\0b", "\0", "\ud800", "\udc00a"})
  void routeThatNoDatabaseStoresIsRefused(String route) {
    assertThatThrownBy(() -> new ParkedPlace(route, 1, new UUID(0, 1)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("OUT-021 route contains a NUL or an unpaired surrogate");
    assertThat(new ParkedPlace("ü\ud83d\ude00", 1, new UUID(0, 1)).route()).hasSize(3);
  }

  @Test
  void moveBackLeavesOpenWhatTheLastOwnerHadNotSettledThere() {
    Frontier before = new Frontier(20, Positions.of(5, 7, 15, 18));
    Frontier found = new Frontier(10, Positions.of(2, 9));
    assertThat(Start.afterMove(before, found))
        .isEqualTo(new Frontier(10, Positions.of(2, 5, 7, 9)));
    assertThat(Start.afterMove(before, Frontier.START)).isEqualTo(Frontier.START);
  }

  @Test
  void skipLeavesSettledWhatWasSettledSinceItsStartWasFound() {
    Frontier found = new Frontier(10, Positions.of(2, 7, 9));
    Frontier behind = new Frontier(8, Positions.of(5, 7));
    assertThat(Start.afterSkip(behind, found)).isEqualTo(new Frontier(10, Positions.of(7, 9)));
    Frontier beyond = new Frontier(20, Positions.of(5, 7, 15, 18));
    assertThat(Start.afterSkip(beyond, found)).isEqualTo(new Frontier(20, Positions.of(7, 15, 18)));
    assertThat(Start.afterSkip(Frontier.START, found)).isEqualTo(found);
  }

  @Test
  void movePassesOverNothing() {
    Start at = Start.at(11);
    assertThat(Start.mayMove(at, 10, 11)).isTrue();
    assertThat(Start.mayMove(at, 10, 10)).isTrue();
    assertThat(Start.mayMove(at, 10, 9)).isFalse();
    assertThat(Start.mayMove(Start.NOW, 10, 10)).isFalse();
  }

  @Test
  void skipIsCarriedOutWhereSomethingIsLeftToPassOverOrAtItsOwnPlace() {
    Frontier open = new Frontier(20, Positions.of(5));
    Frontier all = new Frontier(20, Positions.NONE);
    Frontier at10 = new Frontier(10, Positions.NONE);
    assertThat(Start.maySkip(Start.at(11), open, at10)).isTrue();
    assertThat(Start.maySkip(Start.at(11), all, at10)).isFalse();
    assertThat(Start.maySkip(Start.at(21), all, all)).isTrue();
    assertThat(Start.maySkip(Start.NOW, all, at10)).isTrue();
  }

  @Test
  void startIsPrintedForPeople() {
    assertThat(List.of(Start.EARLIEST, Start.NOW, Start.at(7), Start.at(Instant.EPOCH)))
        .extracting(Start::toString)
        .containsExactly(
            "the earliest message",
            "what is committed from now on",
            "position 7",
            "the first message since 1970-01-01T00:00:00Z");
  }
}
