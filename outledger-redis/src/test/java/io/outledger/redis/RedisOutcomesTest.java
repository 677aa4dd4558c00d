// SPDX-License-Identifier: Apache-2.0
package io.outledger.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcome.Rejected;
import io.outledger.publish.Outcome.Unavailable;
import java.io.IOException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What each error of Redis means, also those that the server at hand does not give. */
class RedisOutcomesTest {

  private static Outcome answered(String text) {
    return RedisOutcomes.outcome("orders", new RedisCommandExecutionException(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "OOM command not allowed when used memory > 'maxmemory'.",
        "READONLY You can't write against a read only replica.",
        "MASTERDOWN Link with MASTER is down",
        "LOADING Redis is loading the dataset in memory",
        "BUSY Redis is busy running a script.",
        "MISCONF Redis is configured to save RDB snapshots, but is unable to persist to disk.",
        "NOREPLICAS Not enough good replicas to write.",
        "NOAUTH Authentication required.",
        "CLUSTERDOWN The cluster is down",
        "TRYAGAIN Multiple keys request during rehashing of slot"
      })
  void stateOfTheServerIsAnOutageOfWhatWasNotStored(String text) {
    assertThat(answered(text))
        .isInstanceOfSatisfying(
            Unavailable.class, found -> assertThat(found.isFateKnown()).isTrue());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "WRONGTYPE Operation against a key holding the wrong kind of value",
        "NOPERM User shop has no permissions to access one of the keys",
        "MOVED 3999 127.0.0.1:6381",
        "ASK 3999 127.0.0.1:6381"
      })
  void whatConcernsOneStreamIsTheStreams(String text) {
    assertThat(answered(text))
        .isInstanceOfSatisfying(
            Rejected.class, found -> assertThat(found.kind()).isEqualTo(Rejected.Kind.TOPIC));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ERR The ID specified in XADD is equal or smaller", "ERR", "NEWERROR x"})
  void unknownErrorSuspectsTheMessage(String text) {
    assertThat(answered(text))
        .isInstanceOfSatisfying(
            Rejected.class, found -> assertThat(found.kind()).isEqualTo(Rejected.Kind.SUSPECT));
  }

  @Test
  void lostLineLeavesTheFateUnknown() {
    assertThat(RedisOutcomes.outcome("orders", new RedisException("Connection closed")))
        .isInstanceOfSatisfying(
            Unavailable.class, found -> assertThat(found.isFateKnown()).isFalse());
    assertThat(RedisOutcomes.outcome("orders", new IOException("reset")))
        .isInstanceOf(Unavailable.class);
  }

  @Test
  void errorIsKnownAlsoWhereItIsTheCauseOfAnother() {
    Throwable wrapped =
        new CompletionException(
            new RedisException(new RedisCommandExecutionException("MISCONF cannot persist")));
    assertThat(RedisOutcomes.outcome("orders", wrapped))
        .isInstanceOfSatisfying(
            Unavailable.class, found -> assertThat(found.isFateKnown()).isTrue());
    assertThat(RedisOutcomes.isOfAnotherServer(wrapped)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"READONLY a replica", "MASTERDOWN no link", "NOAUTH who are you"})
  void anotherServerOrUserIsAskedOverANewConnection(String text) {
    assertThat(RedisOutcomes.isOfAnotherServer(new RedisCommandExecutionException(text))).isTrue();
  }
}
