// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.testing.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whom a refusal concerns, by all answers of a lookup; Kafka's answers are given. */
class KnownTopicsTest {

  private static final Throwable FORBIDDEN = new TopicAuthorizationException("not allowed");
  private static final Throwable UNKNOWN = new UnknownTopicOrPartitionException("not there");

  private final Answers kafka = new Answers();
  private final SettableClock clock = new SettableClock();
  private final KnownTopics topics = new KnownTopics(kafka, "beats", clock);

  /** Kafka, which answers what it is told to; topics that it was told nothing of are there. */
  private static final class Answers implements TopicLookup {
    private final Map<String, Throwable> failures = new HashMap<>();
    private final List<Set<String>> asked = new ArrayList<>();

    @Override
    public Map<String, Optional<Throwable>> ask(Set<String> wanted, Duration patience) {
      asked.add(new TreeSet<>(wanted));
      Map<String, Optional<Throwable>> answers = new HashMap<>();
      wanted.forEach(each -> answers.put(each, Optional.ofNullable(failures.get(each))));
      return answers;
    }

    @Override
    public void close() {}
  }

  @Test
  void aTopicThatKafkaRefusesToTellOfIsItsMessagesFault() throws Exception {
    kafka.failures.put("typo", FORBIDDEN);
    kafka.failures.put("gone", UNKNOWN);
    assertThat(topics.refused(Set.of("typo", "gone", "orders")))
        .containsOnlyKeys("typo", "gone")
        .hasEntrySatisfying("typo", reason -> assertThat(reason).contains("typo", "no right"))
        .containsEntry("gone", "the topic gone does not exist");
    assertThat(kafka.asked).containsExactly(Set.of("beats", "gone", "orders", "typo"));
  }

  @Test
  void aRefusalOfTheTopicOfHeartbeatsIsNoMessagesFault() {
    kafka.failures.put("beats", FORBIDDEN);
    kafka.failures.put("orders", FORBIDDEN);
    assertThatThrownBy(() -> topics.refused(Set.of("orders")))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("no right to describe any of the topics beats, orders")
        .hasMessageContaining("allow DESCRIBE");
  }

  @Test
  void whetherTheTopicOfHeartbeatsIsRefusedIsAskedTogetherWithAnyOther() throws Exception {
    assertThat(topics.refused(Set.of("beats", "orders"))).isEmpty();
    kafka.failures.put("beats", FORBIDDEN); // all rights were taken away
    kafka.failures.put("returns", FORBIDDEN);
    assertThatThrownBy(() -> topics.refused(Set.of("returns")))
        .isInstanceOf(ConnectException.class);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRefusalOfTheClientIsNoMessagesFault(boolean atLogin) {
    Throwable refusal =
        atLogin
            ? new SaslAuthenticationException("wrong password")
            : new ClusterAuthorizationException("not you");
    kafka.failures.put("orders", refusal);
    kafka.failures.put("beats", refusal);
    assertThatThrownBy(() -> topics.refused(Set.of("orders")))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("kafka.*")
        .hasMessageContaining(String.valueOf(refusal.getMessage()));
  }

  @Test
  void aTopicThatIsThereIsAskedForAgainAfterAMinute() throws Exception {
    topics.refused(Set.of("orders"));
    clock.advance(Duration.ofSeconds(59));
    kafka.failures.put("orders", UNKNOWN); // it was deleted
    assertThat(topics.refused(Set.of("orders"))).isEmpty();
    clock.advance(Duration.ofSeconds(1));
    assertThat(topics.refused(Set.of("orders"))).containsOnlyKeys("orders");
  }

  @Test
  void aTopicThatIsMissingIsAskedForEachTime() throws Exception {
    kafka.failures.put("orders", UNKNOWN);
    assertThat(topics.refused(Set.of("orders"))).containsOnlyKeys("orders");
    kafka.failures.clear();
    assertThat(topics.refused(Set.of("orders"))).isEmpty();
  }
}
