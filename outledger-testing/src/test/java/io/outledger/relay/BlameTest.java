// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.relay.options.Route;
import io.outledger.store.ParkedState;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is to blame where nothing gets through: a message, its topic or the destination. */
class BlameTest {

  private static final Duration STEP = Duration.ofMillis(100);

  private final RelayBench bench = new RelayBench();
  private FragileLine line = new FragileLine(KeyOrder.PIPELINED, new Random(1));

  BlameTest() {
    retries(20, Duration.ofHours(5));
  }

  private void retries(int attemptsMax, Duration wait) {
    RetryPolicy retry =
        RetryPolicy.DEFAULT.withAttemptsMax(attemptsMax).withBackoff(new Backoff(wait, wait));
    bench.options = RelayBench.options().retry(retry).build();
  }

  private Relay relay() {
    return bench.relay(List.of(Route.only(line)));
  }

  private static boolean isPoison(Message message) {
    return String.valueOf(message.key()).startsWith("bad");
  }

  private void poisonMeets(Outcome outcome) {
    line.meets = message -> isPoison(message) ? outcome : null;
  }

  private void run(Relay relay, int seconds) {
    for (int i = 0; i < seconds * 10; i++) {
      relay.step();
      bench.clock.advance(STEP);
    }
  }

  private Set<String> parkedKeys() {
    return bench.parked().stream()
        .map(row -> String.valueOf(row.message().message().key()))
        .collect(Collectors.toSet());
  }

  private long arrivals(String key) {
    return line.arrived.stream().filter(message -> key.equals(message.key())).distinct().count();
  }

  @ParameterizedTest
  @EnumSource(KeyOrder.class)
  void messageThatCutsTheLineEachTimeIsParkedAndTheOthersGoOut(KeyOrder keyOrder) {
    line = new FragileLine(keyOrder, new Random(1));
    poisonMeets(FragileLine.CUT);
    bench.append("bad", 1, 2);
    bench.append("a", 1, 100);
    bench.append("b", 1, 100);
    run(relay(), 10);
    assertThat(arrivals("a") + arrivals("b")).isEqualTo(200);
    assertThat(bench.parked(ParkedState.RETRYING)).isEqualTo(1);
    assertThat(bench.parked(ParkedState.HELD)).isEqualTo(1);
    assertThat(bench.parked().get(0).message().attempts()).isEqualTo(1);
    assertThat(bench.parked().get(0).error()).contains("the line was cut");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 20, 100})
  void manyOfThemInARowAreFoundOneAfterTheOther(int count) {
    poisonMeets(FragileLine.CUT);
    for (int i = 0; i < count; i++) {
      bench.append("bad" + i, 1, 1);
    }
    bench.append("a", 1, 100);
    bench.append("b", 1, 100);
    run(relay(), 60 + 5 * count);
    assertThat(arrivals("a") + arrivals("b")).isEqualTo(200);
    assertThat(parkedKeys()).hasSize(count);
    int tries =
        line.tries.entrySet().stream()
            .filter(tried -> isPoison(tried.getKey()))
            .mapToInt(tried -> tried.getValue())
            .sum();
    assertThat(tries).isLessThan(count * 15);
  }

  @Test
  void oneInTheMiddleOfManyIsFoundWithoutSendingAllOfThemAgainAndAgain() {
    poisonMeets(FragileLine.CUT);
    for (int i = 0; i < 1000; i++) {
      bench.append(i == 700 ? "bad" : "k" + i, 1, 1);
    }
    run(relay(), 60);
    assertThat(line.arrived.stream().distinct()).hasSize(999);
    assertThat(line.arrived).hasSizeLessThan(5_000);
    assertThat(parkedKeys()).containsExactly("bad");
  }

  @Test
  void messagesWithoutAKeyAreKeysOfTheirOwn() {
    line.meets = message -> message.payload()[0] == 'x' ? FragileLine.CUT : null;
    IntStream.range(0, 20)
        .forEach(
            i ->
                bench.ledger.inNewTransaction(
                    Message.to("orders", "t")
                        .payload((i == 3 ? "x" : "y").getBytes(StandardCharsets.UTF_8))
                        .build()));
    run(relay(), 10);
    assertThat(line.arrived.stream().distinct()).hasSize(19);
    assertThat(bench.parked()).hasSize(1);
  }

  @Test
  void aloneItIsNotBlamedButShownAsAnOutageUntilOthersGotThrough() {
    poisonMeets(FragileLine.CUT);
    bench.append("bad", 1, 3);
    Relay relay = relay();
    run(relay, 120);
    assertThat(bench.parked()).isEmpty();
    assertThat(bench.events(RelayEvent.OutageBegan.class)).hasSizeGreaterThan(20);
    assertThat(bench.events(RelayEvent.OutageOver.class)).isEmpty();
    bench.append("a", 1, 1);
    run(relay, 10);
    assertThat(arrivals("a")).isEqualTo(1);
    assertThat(bench.parked()).isEmpty();
    bench.append("b", 1, 1);
    run(relay, 10);
    assertThat(parkedKeys()).containsExactly("bad");
    assertThat(bench.events(RelayEvent.OutageOver.class)).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 800})
  void nobodyIsBlamedForAnOutageHoweverLong(int seconds) {
    line.meets = message -> FragileLine.CUT;
    for (int i = 0; i < 200; i++) {
      bench.append("k" + i, 1, 2);
    }
    Relay relay = relay();
    run(relay, seconds);
    line.meets = message -> null;
    run(relay, 30);
    assertThat(line.arrived.stream().distinct()).hasSize(400);
    assertThat(bench.events(RelayEvent.Parked.class)).isEmpty();
    assertThat(bench.events(RelayEvent.Died.class)).isEmpty();
  }

  @Test
  void endpointThatHangsForThirteenMinutesMakesNoDeadLetter() {
    line = new FragileLine(KeyOrder.ONE_AT_A_TIME, new Random(1));
    line.meets = message -> Outcome.unanswered("no answer within 15 s");
    for (int i = 0; i < 200; i++) {
      bench.append("k" + i, 1, 1);
    }
    Relay relay = relay();
    run(relay, 13 * 60);
    assertThat(bench.parked()).isEmpty();
    line.meets = message -> null;
    run(relay, 10);
    assertThat(line.arrived.stream().distinct()).hasSize(200);
    assertThat(bench.events(RelayEvent.Parked.class)).isEmpty();
  }

  @Test
  void parkedMessageThatCutsTheLineAgainCountsAnAttemptEachTimeAndDies() {
    retries(3, Duration.ofSeconds(10));
    poisonMeets(FragileLine.CUT);
    bench.append("bad", 1, 1);
    Relay relay = relay();
    for (int i = 0; i < 300; i++) {
      bench.append("a", i + 1, i + 1);
      run(relay, 1);
    }
    assertThat(bench.parked(ParkedState.DEAD)).isEqualTo(1);
    assertThat(bench.parked().get(0).message().attempts()).isEqualTo(3);
    assertThat(arrivals("a")).isEqualTo(300);
  }

  @Test
  void topicThatIsSilentWhileOthersAreAnsweredIsKeptBackWithoutAnAttempt() {
    line.meets =
        message ->
            message.topic().equals("silent") ? Outcome.unanswered("no leader, no answer") : null;
    for (int i = 1; i <= 50; i++) {
      bench.ledger.inNewTransaction(RelayBench.message("s" + i, i, "silent"));
    }
    Relay relay = relay();
    for (int i = 1; i <= 50; i++) {
      bench.ledger.inNewTransaction(RelayBench.message("k" + i, i, "fine"));
      run(relay, 1);
    }
    assertThat(line.arrived.stream().distinct()).hasSize(50);
    assertThat(bench.events(RelayEvent.BreakerOpened.class)).isNotEmpty();
    assertThat(bench.parked()).isEmpty();
    int outages = bench.events(RelayEvent.OutageBegan.class).size();
    run(relay, 300);
    assertThat(bench.events(RelayEvent.OutageBegan.class)).hasSize(outages);
    line.meets = message -> null;
    run(relay, 10);
    assertThat(line.arrived.stream().distinct()).hasSize(100);
    assertThat(bench.events(RelayEvent.Parked.class)).isEmpty();
  }

  @Test
  void messageForWhichItsTopicIsBlamedEachTimeIsToBlameItself() {
    poisonMeets(Outcome.topicUnavailable("the gateway says 502"));
    bench.append("bad", 1, 1);
    Relay relay = relay();
    for (int i = 0; i < 60; i++) {
      bench.append("a", i + 1, i + 1);
      run(relay, 1);
    }
    assertThat(arrivals("a")).isEqualTo(60);
    assertThat(bench.parked()).hasSize(1);
    assertThat(bench.parked().get(0).message().attempts()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void itIsFoundAfterAFewTriesAlsoWhereOthersOfItsTopicGetThroughRightBehindIt(int count) {
    poisonMeets(Outcome.topicUnavailable("the queue refuses it"));
    Relay relay = relay();
    for (int i = 1; i <= count; i++) {
      bench.append("bad" + i, 1, 1);
    }
    for (int i = 0; i < 60; i++) {
      bench.append("a", 5 * i + 1, 5 * i + 5);
      run(relay, 1);
    }
    assertThat(arrivals("a")).isEqualTo(300);
    assertThat(parkedKeys()).hasSize(count);
    assertThat(
            line.tries.entrySet().stream()
                .filter(tried -> isPoison(tried.getKey()))
                .mapToInt(tried -> tried.getValue()))
        .allMatch(tries -> tries <= 5 + count);
  }
}
