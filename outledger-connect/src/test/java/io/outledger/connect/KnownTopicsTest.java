// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.log.QuietLog;
import io.outledger.testing.SettableClock;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
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
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whom a refusal concerns, by all answers of a lookup; Kafka's answers are given. */
class KnownTopicsTest {

  private final Throwable forbidden = new TopicAuthorizationException("not allowed");
  private final Throwable silence = new TimeoutException("no answer");
  private final Throwable unknown = new UnknownTopicOrPartitionException("not there");

  private final Answers kafka = new Answers();
  private final SettableClock clock = new SettableClock();
  private final KnownTopics topics =
      new KnownTopics(
          kafka,
          "beats",
          Duration.ofSeconds(3),
          clock,
          new QuietLog(KnownTopicsTest.class, "connector of x", clock));

  /** Kafka, which answers what it is told to; topics that it was told nothing of are there. */
  private static final class Answers implements TopicLookup {
    private final Map<String, Throwable> failures = new HashMap<>();
    private final List<Set<String>> asked = new ArrayList<>();

    @Override
    public Map<String, Optional<Throwable>> ask(Set<String> wanted, Duration patience) {
      assertThat(patience).isEqualTo(Duration.ofSeconds(3));
      asked.add(new TreeSet<>(wanted));
      Map<String, Optional<Throwable>> answers = new HashMap<>();
      wanted.forEach(each -> answers.put(each, Optional.ofNullable(failures.get(each))));
      return answers;
    }

    @Override
    public void close() {}
  }

  private Map<String, String> refused(Set<String> wanted) throws InterruptedException {
    KnownTopics.Answer answer = topics.look(wanted, false);
    assertThat(answer.untold()).isEmpty();
    return answer.refused();
  }

  /** Asks twice, since one answer that a topic is missing may come from a broker that is late. */
  private Map<String, String> missing(Set<String> wanted) throws InterruptedException {
    assertThat(topics.look(wanted, false).untold()).isNotEmpty();
    clock.advance(Duration.ofSeconds(1));
    return refused(wanted);
  }

  private void silenceFor(String... names) {
    for (String name : names) {
      kafka.failures.put(name, silence);
    }
  }

  @Test
  void aTopicThatKafkaRefusesToTellOfIsItsMessagesFault() throws Exception {
    kafka.failures.put("typo", forbidden);
    kafka.failures.put("gone", unknown);
    assertThat(missing(Set.of("typo", "gone", "orders")))
        .containsOnlyKeys("typo", "gone")
        .hasEntrySatisfying("typo", reason -> assertThat(reason).contains("typo", "no right"))
        .containsEntry("gone", "the topic gone does not exist");
    assertThat(kafka.asked)
        .containsExactly(
            Set.of("beats", "gone", "orders", "typo"), Set.of("beats", "gone", "typo"));
  }

  @Test
  void aRefusalOfTheTopicOfHeartbeatsIsNoMessagesFault() {
    kafka.failures.put("beats", forbidden);
    kafka.failures.put("orders", forbidden);
    assertThatThrownBy(() -> refused(Set.of("orders")))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("no right to describe any of the topics beats, orders")
        .hasMessageContaining("allow DESCRIBE");
  }

  @Test
  void whetherTheTopicOfHeartbeatsIsRefusedIsAskedTogetherWithAnyOther() throws Exception {
    assertThat(topics.look(Set.of("orders"), true).refused()).isEmpty();
    kafka.failures.put("beats", forbidden); // all rights were taken away
    kafka.failures.put("returns", forbidden);
    assertThatThrownBy(() -> refused(Set.of("returns"))).isInstanceOf(ConnectException.class);
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
    assertThatThrownBy(() -> refused(Set.of("orders")))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("kafka.*")
        .hasMessageContaining(String.valueOf(refusal.getMessage()));
  }

  @Test
  void aTopicThatIsThereIsAskedForAgainAfterAMinute() throws Exception {
    refused(Set.of("orders"));
    clock.advance(Duration.ofSeconds(59));
    kafka.failures.put("orders", unknown); // it was deleted
    assertThat(refused(Set.of("orders"))).isEmpty();
    clock.advance(Duration.ofSeconds(1));
    assertThat(missing(Set.of("orders"))).containsOnlyKeys("orders");
  }

  @Test
  void aTopicThatOneBrokerHasNotHeardOfYetIsNotMissing() throws Exception {
    for (Throwable answer : List.of(unknown, forbidden)) {
      kafka.failures.put("new", answer);
      for (int i = 0; i < 2; i++) {
        KnownTopics.Answer first = topics.look(Set.of("new"), false);
        assertThat(first.refused()).isEmpty();
        assertThat(first.untold()).containsExactly("new");
        clock.advance(Duration.ofMillis(400));
      }
      kafka.failures.clear();
      assertThat(refused(Set.of("new"))).isEmpty();
      clock.advance(Duration.ofMinutes(1));
    }
  }

  @Test
  void anAnswerOfLongAgoDoesNotCount() throws Exception {
    kafka.failures.put("new", unknown);
    assertThat(topics.look(Set.of("new"), false).untold()).containsExactly("new");
    clock.advance(Duration.ofMinutes(1));
    assertThat(missing(Set.of("new"))).containsOnlyKeys("new");
  }

  /** Silences of a topic that answers in between do not add up. */
  @Test
  void onlySilencesInARowCount() throws Exception {
    for (int i = 0; i < 5; i++) {
      silenceFor("odd");
      topics.look(Set.of("odd", "orders"), false);
      clock.advance(Duration.ofMinutes(2));
      assertThat(topics.look(Set.of("odd", "orders"), false).refused()).isEmpty();
      clock.advance(Duration.ofMinutes(2));
      kafka.failures.clear();
      assertThat(refused(Set.of("odd", "orders"))).isEmpty();
      clock.advance(Duration.ofMinutes(2));
    }
  }

  @Test
  void aTopicThatIsMissingIsAskedForEachTime() throws Exception {
    kafka.failures.put("orders", unknown);
    assertThat(missing(Set.of("orders"))).containsOnlyKeys("orders");
    assertThat(refused(Set.of("orders"))).containsOnlyKeys("orders");
    kafka.failures.clear();
    assertThat(refused(Set.of("orders"))).isEmpty();
  }

  @Test
  void whileNothingIsAnsweredKafkaIsAskedEverMoreRarely() throws Exception {
    silenceFor("orders", "beats");
    for (int i = 0; i < 300; i++) {
      assertThat(topics.look(Set.of("orders"), false).untold()).containsExactly("orders");
      clock.advance(Duration.ofMillis(100));
    }
    assertThat(kafka.asked).hasSize(5); // at 0, 1, 3, 7 and 15 seconds
    kafka.failures.clear();
    clock.advance(Duration.ofSeconds(1));
    assertThat(refused(Set.of("orders"))).isEmpty();
  }

  @Test
  void anOutageIsToldAsAWarning() throws Exception {
    silenceFor("orders", "beats");
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(log, true, UTF_8));
    try {
      topics.look(Set.of("orders"), false);
    } finally {
      System.setErr(before);
    }
    assertThat(log.toString(UTF_8))
        .contains("WARN")
        .contains("connector of x: Kafka does not answer whether the topic beats exists")
        .contains("no answer");
  }

  @Test
  void whatWasThereStaysThereWhileNothingIsAnswered() throws Exception {
    assertThat(refused(Set.of("orders"))).isEmpty();
    silenceFor("orders", "new", "beats");
    clock.advance(Duration.ofMinutes(5));
    assertThat(refused(Set.of("orders"))).isEmpty();
    assertThat(topics.look(Set.of("orders", "new"), false).untold()).containsExactly("new");
    assertThat(kafka.asked).hasSize(2);
  }

  @Test
  void onlyHeartbeatsAreWithheldWhereTheirTopicIsNotAnsweredFor() throws Exception {
    silenceFor("beats");
    KnownTopics.Answer answer = topics.look(Set.of("orders"), true);
    assertThat(answer.refused()).isEmpty();
    assertThat(answer.untold()).isEmpty();
    assertThat(answer.withholdsHeartbeats()).isTrue();
  }

  @Test
  void aMessageForTheTopicOfHeartbeatsWaitsUntilKafkaAnswers() throws Exception {
    silenceFor("beats");
    KnownTopics.Answer silent = topics.look(Set.of("beats"), true);
    assertThat(silent.refused()).isEmpty();
    assertThat(silent.untold()).containsExactly("beats");
    kafka.failures.clear();
    clock.advance(Duration.ofSeconds(2));
    assertThat(refused(Set.of("beats"))).isEmpty();
  }

  @Test
  void aTopicThatAloneIsNeverAnsweredForIsItsMessagesFault() throws Exception {
    silenceFor("odd");
    for (int i = 0; i < 2; i++) {
      assertThat(topics.look(Set.of("odd", "orders"), false).untold()).containsExactly("odd");
      clock.advance(Duration.ofMinutes(2));
    }
    assertThat(refused(Set.of("odd", "orders"))).containsOnlyKeys("odd");
    assertThat(refused(Set.of("odd"))).containsOnlyKeys("odd"); // without asking
    assertThat(kafka.asked).hasSize(3);
  }
}
