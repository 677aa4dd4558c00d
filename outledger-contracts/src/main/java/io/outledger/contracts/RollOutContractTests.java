// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.Message;
import io.outledger.event.EventHandlers;
import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.Received;
import io.outledger.jdbc.EventContext;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.spi.SqlValues;
import io.outledger.receive.ParkingHandler;
import io.outledger.receive.Receiver;
import io.outledger.receive.ReceiverContext;
import io.outledger.relay.Relay;
import io.outledger.relay.options.Accepts;
import io.outledger.testing.RecordingPublisher;
import io.outledger.time.TimeSource;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Old and new versions of an application on one database, in either order: what commits after a
 * handler was declared takes effect there.
 */
abstract class RollOutContractTests extends VersionsContractTests {

  private static void append(Outledger app, int from, int to) {
    for (int i = from; i <= to; i++) {
      app.outbox().inNewTransaction(new Paid("k" + i), new Refunded("k" + i));
    }
  }

  @Test
  final void handlerOfANewVersionMissesNothingWhileTheOldOneOwnsTheSubscription() {
    newHandlerMissesNothingBeside(app(true));
  }

  @Test
  final void handlerOfATypeThatTheOldVersionDoesNotKnowMissesNothing() {
    newHandlerMissesNothingBeside(app(false));
  }

  private void newHandlerMissesNothingBeside(Outledger oldVersion) {
    Relay old = relay(oldVersion, r -> r.handler("ledger", this::paid));
    own(old);
    Outledger app = app(true);
    Relay young =
        relay(app, r -> r.handler("ledger", this::paid).handler("refunds", this::refunded));
    young.declare();
    append(app, 1, 5);
    step(old, () -> effects.size() == 5);
    end(old);
    append(app, 6, 6);
    step(young, () -> isSettled(12));
    assertThat(effects).hasSize(12).doesNotHaveDuplicates();
  }

  @Test
  final void typeThatAHandlerTakesOnlyInItsNewVersionIsNotPassedOver() {
    Relay old = relay(app(true), r -> r.handler("ledger", this::paid));
    own(old);
    Outledger app = app(true);
    Relay young =
        relay(
            app,
            r ->
                r.handler(
                    "ledger",
                    handlers -> {
                      paid(handlers);
                      refunded(handlers);
                    }));
    young.declare();
    append(app, 1, 2);
    step(old, () -> parked() == 2);
    assertThat(effects).containsExactly("paid k1", "paid k2");
    end(old);
    step(young, () -> isSettled(4));
    assertThat(effects)
        .containsExactlyInAnyOrder("paid k1", "paid k2", "refunded k1", "refunded k2");
  }

  @Test
  final void goingBackLosesNothingAndIsTold() {
    Outledger app = app(true);
    Relay young =
        relay(app, r -> r.handler("ledger", this::paid).handler("refunds", this::refunded));
    own(young);
    end(young);
    Relay old = relay(app(true), r -> r.handler("ledger", this::paid));
    append(app, 1, 3);
    step(old, () -> effects.size() == 3);
    step(
        old,
        () ->
            count(
                    "SELECT count(*) FROM outledger_parked WHERE error LIKE"
                        + " 'waits for an instance that has route refunds%'")
                == 3);
    step(
        old,
        () -> count("SELECT count(*) FROM outledger_lag WHERE lacking LIKE '%refunded v1%'") == 1);
    end(old);
    Relay again =
        relay(app, r -> r.handler("ledger", this::paid).handler("refunds", this::refunded));
    step(again, () -> isSettled(6));
    assertThat(effects).hasSize(6).doesNotHaveDuplicates();
  }

  /** Each parks for the other what it does not have, and hands the subscription over. */
  @Test
  final void twoDeployablesOfOneSubscriptionBothGetAll() {
    Outledger app = app(false);
    Relay mails = relay(app, r -> r.handler("mails", on -> paidAs("mail", on)));
    Relay invoices = relay(app(false), r -> r.handler("invoices", on -> paidAs("invoice", on)));
    mails.declare();
    invoices.declare();
    for (int last = 10; last <= 20; last += 10) {
      for (int i = last - 9; i <= last; i++) {
        app.outbox().inNewTransaction(new Paid("k" + i));
      }
      int expected = 2 * last;
      step(mails, invoices, () -> isSettled(expected));
    }
    assertThat(effects).hasSize(40).doesNotHaveDuplicates();
  }

  @Test
  final void filterThatWasWidenedIsNotSettledByTheOldOne() {
    RecordingPublisher out = new RecordingPublisher();
    Relay old = relay(app(true), r -> r.to("out", Accepts.topics("orders"), out));
    own(old);
    Outledger app = app(true);
    Relay young = relay(app, r -> r.to("out", Accepts.topics("orders", "money"), out));
    young.declare();
    append("k1", "k9");
    append(app, 1, 3);
    step(old, () -> parked() == 6);
    assertThat(out.messages()).extracting(Message::topic).containsExactly("orders", "orders");
    end(old);
    step(young, () -> out.messages().size() == 8 && parked() == 0);
    assertThat(out.messages()).extracting(Message::id).doesNotHaveDuplicates();
  }

  private BatchHandler consumer(Outledger app, Consumer<EventHandlers.Builder<EventContext>> on) {
    return app.inbox("stock").handler(on);
  }

  private Receiver<Integer> receiver(BatchHandler handler) {
    return new Receiver<>(
        handler,
        new ReceiverContext(
            "test",
            ReceivedContractTests.OPTIONS,
            event -> {},
            new ReceivedContractTests.Moment(),
            new SplittableRandom(1)));
  }

  private static Received message(@Nullable String key, String type, String id) {
    byte[] payload = id.getBytes(StandardCharsets.UTF_8);
    return new Received("shop", id, "money", key, type, 1, payload, Map.of(), null, "place", "");
  }

  @Test
  final void memberOfAConsumerParksWhatOnlyAnotherMemberHandles() {
    BatchHandler old = consumer(app(true), this::paid);
    BatchHandler young =
        consumer(
            app(true),
            handlers -> {
              paid(handlers);
              refunded(handlers);
            });
    ((ParkingHandler) young).store().carryOutRequests(1);
    ScriptedSource source = new ScriptedSource();
    source.add(
        message("a", "paid", "1"),
        message("a", "refunded", "2"),
        message("a", "paid", "3"),
        message(null, "refunded", "4"),
        message("b", "paid", "5"),
        message("b", "other", "6"));
    receiver(old).step(source);
    assertThat(source.committed()).isEqualTo(6);
    assertThat(effects).containsExactly("paid 1", "paid 5");
    ReceivedContractTests.retry(receiver(old)); // first, and leaves it to the other
    assertThat(effects).containsExactly("paid 1", "paid 5");
    assertThat(count("SELECT count(*) FROM outledger_inbox_parked WHERE error LIKE 'waits%'"))
        .isEqualTo(2);
    ReceivedContractTests.retry(receiver(young));
    assertThat(effects)
        .containsExactlyInAnyOrder("paid 1", "paid 5", "refunded 2", "paid 3", "refunded 4");
    assertThat(effects.indexOf("refunded 2")).isLessThan(effects.indexOf("paid 3"));
    assertThat(count("SELECT count(*) FROM outledger_inbox_parked")).isZero();
  }

  @Test
  final void memberOfAConsumerParksAVersionThatOnlyAnotherMemberKnows() {
    BatchHandler old = consumer(app(true), this::paid);
    BatchHandler young =
        consumer(
            app(
                events ->
                    events.register(
                        Refunded.class,
                        t -> t.name("paid").version(2).topic("money").key(Refunded::id))),
            handlers -> {
              paid(handlers);
              refunded(handlers);
            });
    ((ParkingHandler) young).store().carryOutRequests(1);
    ScriptedSource source = new ScriptedSource();
    source.add(ofVersion(2, "a", "1"), message("a", "paid", "2"), ofVersion(3, "b", "3"));
    receiver(old).step(source);
    assertThat(effects).isEmpty();
    assertThat(count("SELECT count(*) FROM outledger_inbox_parked WHERE error LIKE 'waits%'"))
        .isEqualTo(1);
    assertThat(count("SELECT count(*) FROM outledger_inbox_parked WHERE state = 'dead'")).isZero();
    ReceivedContractTests.retry(receiver(young));
    assertThat(effects).containsExactly("refunded 1", "paid 2");
  }

  private static Received ofVersion(int version, String key, String id) {
    byte[] payload = id.getBytes(StandardCharsets.UTF_8);
    return new Received(
        "shop", id, "money", key, "paid", version, payload, Map.of(), null, "place", "");
  }

  /** As a member of a group that has more members than partitions. */
  @Test
  final void loopOfOnesOwnThatGetsNothingHasDeclaredWhatItHandles() {
    BatchHandler old = consumer(app(true), this::paid);
    BatchHandler young = consumer(app(true), this::refunded);
    List<Received> batch = List.of(message("b", "refunded", "1"));
    assertThatThrownBy(() -> old.handle(batch)).hasMessageContaining("refunded v1");
    assertThat(young).isNotNull();
    assertThat(effects).isEmpty();
  }

  @Test
  final void loopOfOnesOwnGetsAMessageBackThatOnlyAnotherMemberHandles() throws Exception {
    BatchHandler old = consumer(app(true), this::paid);
    old.handle(List.of(message("a", "refunded", "0"))); // nobody has declared it yet
    BatchHandler young = consumer(app(true), this::refunded);
    young.handle(List.of(message("a", "refunded", "1")));
    List<Received> batch = List.of(message("a", "paid", "2"), message("b", "refunded", "3"));
    assertThatThrownBy(() -> old.handle(batch)).hasMessageContaining("refunded v1");
    young.handle(batch.subList(1, 2));
    assertThat(effects).containsExactly("refunded 1", "paid 2", "refunded 3");
  }

  @Test
  final void memberThatReplacesTheOthersPassesOverWhatItHandlesNoLongerAfterHalfAMinute()
      throws Exception {
    BatchHandler old = consumer(app(true), this::refunded);
    List<Received> batch = List.of(message("b", "refunded", "1"));
    BatchHandler young = consumer(app(true), this::paid);
    assertThatThrownBy(() -> young.handle(batch)).hasMessageContaining("refunded v1");
    BatchHandler replacing = app(true).inbox("stock").replaces().handler(this::paid);
    assertThatThrownBy(() -> replacing.handle(batch)).hasMessageContaining("refunded v1");
    assertThatThrownBy(() -> young.handle(batch)).hasMessageContaining("refunded v1");
    declared(Duration.ofMinutes(1));
    BatchHandler next = consumer(app(true), this::paid);
    next.handle(batch);
    fixture().letPass(Duration.ofSeconds(2));
    old.handle(List.of(message("b", "refunded", "2"))); // it sees that what it has was ended
    old.handle(List.of(message("b", "refunded", "3")));
    assertThatThrownBy(() -> next.handle(batch)).hasMessageContaining("refunded v1");
    assertThat(effects).containsExactly("refunded 2", "refunded 3");
  }

  /** Makes it look as if all had been declared, or ended, so long ago. */
  private void declared(Duration ago) {
    SqlValues values = database().adminReads(dataSource()).values();
    inTransaction(
        transaction -> {
          try (PreparedStatement statement =
              transaction.prepareStatement("UPDATE outledger_declaration SET declared_at = ?")) {
            values.bind(statement, TimeSource.system().now().minus(ago));
            statement.executeUpdate();
          }
        });
  }
}
