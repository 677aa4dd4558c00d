// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.inbox.Received;
import io.outledger.jdbc.JdbcInbox;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.ReceivedWork;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.Verb;
import io.outledger.receive.ParkingHandler;
import io.outledger.receive.ReceiverStore;
import io.outledger.store.ParkedFailure;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A consumer that is new beside one that nobody may serve any more: the log says so, once. */
abstract class NewConsumerContractTests extends DatabaseContractTests {

  private static final Received FIRST = ReceivedContractTests.message("a", "1");
  private static final Received SECOND = ReceivedContractTests.message("a", "2");

  private final List<String> effects = new ArrayList<>();

  @Test
  final void renamedConsumerIsToldOnce() {
    assertThat(told("billing", FIRST)).as("the first consumer ever").isEmpty();
    assertThat(told("billing", FIRST, SECOND)).as("the same one").isEmpty();
    assertThat(told("invoicing", FIRST, SECOND))
        .singleElement()
        .asString()
        .startsWith("WARN OUT-036: consumer invoicing is new")
        .contains(
            "beside [billing]",
            "its old name, billing;",
            "Verb.Rename.consumer(\"billing\", \"invoicing\")");
    assertThat(effects).containsExactly("billing 1", "billing 2", "invoicing 1", "invoicing 2");
    assertThat(told("invoicing", SECOND)).as("after its first messages").isEmpty();
  }

  @Test
  final void handlerOfBatchesIsToldAsAReceiverIs() {
    told("billing", FIRST);
    List<String> log =
        toldOf(outledger -> outledger.inbox("invoicing").handler(work("")).handle(List.of(FIRST)));
    assertThat(log).hasSize(1);
  }

  @Test
  final void renameInTheDatabaseIsNotTold() {
    told("billing", FIRST);
    Verb rename = Verb.Rename.consumer("billing", "invoicing");
    assertThat(process().requests().ask(rename.by("anna", "renamed in the code")).state())
        .isEqualTo(RequestState.DONE);
    assertThat(told("invoicing", FIRST)).isEmpty();
    assertThat(effects).containsExactly("billing 1");
  }

  @Test
  final void consumerBesideAnotherOfTheSameProcessIsNotTold() {
    told("billing", FIRST);
    List<String> log =
        toldOf(
            outledger -> {
              assertThat(outledger.inbox("billing")).isNotNull();
              receive(outledger.inbox("shipping"), "shipping", FIRST);
            });
    assertThat(log).isEmpty();
  }

  @Test
  final void consumerThatHasParkedIsNotNew() {
    told("billing", FIRST);
    try (Outledger outledger = started()) {
      assertThat(store(outledger.inbox("invoicing"), "").park(FIRST, ParkedFailure.HELD, 9))
          .isTrue();
    }
    assertThat(told("invoicing", SECOND)).isEmpty();
  }

  @Test
  final void neitherHandlersOfSubscriptionsNorConsumersThatRememberNothingAreBesideIt() {
    append("a");
    remember(SUBSCRIPTION, messagesOf(owner()).get(0));
    assertThat(told("billing", FIRST)).isEmpty();
    execute("DELETE FROM outledger_inbox");
    assertThat(told("invoicing", FIRST)).isEmpty();
  }

  /** What is done in a process. */
  private interface Doing {
    void in(Outledger outledger) throws Exception;
  }

  /** Has two receivers of a consumer receive messages in a process, and returns what was told. */
  private List<String> told(String consumer, Received... messages) {
    return toldOf(
        outledger -> {
          receive(outledger.inbox(consumer), consumer, messages);
          receive(outledger.inbox(consumer), consumer, messages);
        });
  }

  private List<String> toldOf(Doing doing) {
    return fixture()
        .logOf(
            () -> {
              try (Outledger outledger = started()) {
                doing.in(outledger);
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            })
        .stream()
        .filter(entry -> entry.contains("OUT-036"))
        .toList();
  }

  private Outledger started() {
    return Outledger.builder(dataSource()).withoutRetention().build();
  }

  private void receive(JdbcInbox inbox, String consumer, Received... messages) throws Exception {
    store(inbox, consumer).process(List.of(messages), 9);
  }

  private ReceiverStore store(JdbcInbox inbox, String consumer) {
    return ((ParkingHandler) inbox.handler(work(consumer))).store();
  }

  private ReceivedWork work(String consumer) {
    return (connection, message) -> effects.add(consumer + " " + message.id());
  }
}
