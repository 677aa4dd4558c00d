// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.relay.options.Accepts;
import io.outledger.relay.options.Route;
import io.outledger.relay.options.Transforms;
import io.outledger.store.Declaration;
import io.outledger.testing.RecordingPublisher;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Handlers whose types are those of what the transforms make, in instances of two versions. */
class DeclaredResultsTest {

  private static final Transforms MAPPED =
      Transforms.NONE.withMap(
          message ->
              Message.to(message.topic(), "refunded")
                  .id(message.id())
                  .payload(message.payload())
                  .build());

  private final RelayBench bench = new RelayBench();
  private final RecordingPublisher out = new RecordingPublisher();
  private final RecordingPublisher other = new RecordingPublisher();

  @BeforeEach
  void map() {
    transform(MAPPED);
  }

  private void transform(Transforms transforms) {
    bench.options = RelayBench.options().transforms(transforms).build();
  }

  /** A handler's route also takes what nobody has registered, to count it. */
  private static Route handling(String name, RecordingPublisher publisher, String... types) {
    Set<String> named =
        List.of(types).stream().map(type -> Declaration.type(type, 1)).collect(Collectors.toSet());
    return new Route(name, publisher, Accepts.types(named).testedBy(message -> true).ofResult());
  }

  private void append(int number) {
    bench.ledger.inNewTransaction(
        Message.to("money", "raw").id(new UUID(7, number)).payload(new byte[0]).build());
  }

  private void end(Relay relay) {
    relay.handOver();
    while (relay.step().state() == StepReport.State.OWNER) {
      bench.clock.advance(Duration.ofMillis(1));
    }
    relay.close();
  }

  @Test
  void resultIsNotSettledWithoutARouteThatOnlyAStandbyHas() {
    Relay old = bench.relay(List.of(handling("ledger", out, "paid")));
    bench.steps(old, 3);
    Relay young =
        bench.relay(
            List.of(handling("ledger", out, "paid"), handling("refunds", other, "refunded")));
    keepsForYoung(old, young);
  }

  @Test
  void resultIsNotSettledByARouteThatHasItsTypeInAnotherInstance() {
    Relay old = bench.relay(List.of(handling("ledger", out, "paid")));
    bench.steps(old, 3);
    Relay young = bench.relay(List.of(handling("ledger", out, "paid", "refunded")));
    bench.steps(young, 1);
    append(1);
    bench.steps(old, 5);
    assertThat(out.messages()).isEmpty();
    assertThat(bench.parked()).hasSize(1);
    end(old);
    bench.steps(young, 200);
    assertThat(out.messages()).extracting(Message::type).containsExactly("refunded");
    assertThat(bench.parked()).isEmpty();
  }

  /** What a handler takes only to count it, it does not have. */
  @Test
  void resultThatAHandlerDoesNotKnowIsKeptForTheCatchAllThatReplacesIt() {
    Relay old = bench.relay(List.of(handling("ledger", out, "paid")));
    bench.steps(old, 3);
    Relay young = bench.relay(List.of(new Route("ledger", other, Accepts.everything().ofResult())));
    keepsForYoung(old, young);
  }

  @Test
  void whatTransformsFailAtIsKeptForWhoeverMayHaveItsResult() {
    AtomicBoolean fails = new AtomicBoolean(true);
    transform(
        MAPPED.withEnrich(
            message -> {
              if (fails.getAndSet(false)) {
                throw new IllegalStateException("not now");
              }
              return message;
            }));
    Relay old = bench.relay(List.of(new Route("ledger", out, Accepts.type("paid", 1))));
    bench.steps(old, 3);
    Relay young =
        bench.relay(
            List.of(
                new Route("ledger", out, Accepts.type("paid", 1)),
                handling("refunds", other, "refunded")));
    keepsForYoung(old, young);
  }

  @Test
  void whatAnOlderFilterLeavesOutIsKeptForWhoeverMayHaveItsResult() {
    transform(MAPPED.withFilter(Accepts.type("refunded", 1)));
    Relay old = bench.relay(List.of(handling("refunds", out, "refunded")));
    bench.steps(old, 3);
    transform(MAPPED.withFilter(Accepts.types(Set.of("refunded v1", "raw v1"))));
    Relay young = bench.relay(List.of(handling("refunds", other, "refunded")));
    keepsForYoung(old, young);
  }

  private void keepsForYoung(Relay old, Relay young) {
    bench.steps(young, 1);
    append(1);
    bench.steps(old, 5);
    assertThat(bench.parked()).hasSize(1);
    end(old);
    bench.steps(young, 200);
    assertThat(other.messages()).extracting(Message::type).containsExactly("refunded");
    assertThat(bench.parked()).isEmpty();
  }

  /** It goes by the message as it stands in the ledger, which both versions take. */
  @Test
  void routeToABrokerKeepsNothingBackForTheTypeOfAResult() {
    Relay old = bench.relay(List.of(new Route("kafka", out, Accepts.type("raw", 1))));
    bench.steps(old, 3);
    Relay young =
        bench.relay(
            List.of(new Route("kafka", other, Accepts.types(Set.of("raw v1", "refunded v1")))));
    bench.steps(young, 1);
    append(1);
    bench.steps(old, 5);
    assertThat(out.messages()).hasSize(1);
    assertThat(bench.parked()).isEmpty();
  }
}
