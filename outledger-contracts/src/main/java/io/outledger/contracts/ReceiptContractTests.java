// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.inbox.Received;
import io.outledger.jdbc.Outledger;
import io.outledger.jdbc.ParkedReceipts;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.Reader;
import io.outledger.receive.ParkedReceived;
import io.outledger.receive.ParkingHandler;
import io.outledger.receive.ReceiverStore;
import io.outledger.store.ParkedFailure;
import io.outledger.store.ParkedState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an operator is told of consumers that there are, and of those that there are not. */
abstract class ReceiptContractTests extends DatabaseContractTests {

  private Outledger outledger;

  @BeforeEach
  final void start() {
    outledger = Outledger.builder(dataSource()).build();
  }

  @AfterEach
  final void stop() {
    outledger.close();
  }

  /** Returns the administration as a process has it that receives nothing. */
  private ParkedReceipts parked(String consumer) {
    return outledger.inbox(consumer).parked();
  }

  private ReceiverStore receiving(String consumer) {
    return ((ParkingHandler) outledger.inbox(consumer).handler((connection, message) -> {}))
        .store();
  }

  private static void refused(ThrowingCallable call, String known) {
    assertThatThrownBy(call)
        .hasMessageStartingWith(
            "OUT-025 there is no consumer \"stok\"; known consumers: " + known + "; check");
  }

  private void refusesUnknown(String known) {
    ParkedReceipts unknown = parked("stok");
    refused(() -> parkedOf(Reader.consumer("stok")), known);
    refused(() -> unknown.retry(1), known);
    refused(() -> unknown.discard(1), known);
    refused(() -> unknown.retry(ParkedSelection.ALL), known);
    refused(() -> unknown.discard(ParkedSelection.of(ParkedState.DEAD)), known);
  }

  @Test
  final void consumerThatHasNeitherProcessedNorParkedIsUnknown() throws Exception {
    refusesUnknown("none");
    receiving("mail").process(List.of(ReceivedContractTests.message("7", "1")), 10);
    receiving("stock")
        .park(
            ReceivedContractTests.message("7", "1"),
            new ParkedFailure(ParkedState.DEAD, true, 3, "no stock", AT_ONCE),
            10);
    receiving("stock").process(List.of(ReceivedContractTests.message("8", "2")), 10);
    refusesUnknown("\"mail\", \"stock\"");
  }

  @Test
  final void consumerIsKnownByWhatAnyProcessHasProcessedOrParked() throws Exception {
    receiving("mail").process(List.of(ReceivedContractTests.message("7", "1")), 10);
    try (Outledger other = Outledger.builder(dataSource()).build()) {
      ParkedReceipts mail = other.inbox("mail").parked();
      assertThat(parkedOf(Reader.consumer("mail"))).isEmpty();
      assertThat(mail.retry(1)).isFalse();
      assertThat(mail.discard(ParkedSelection.ALL)).isZero();
    }
  }

  @Test
  final void consumerThatHasDeclaredItselfIsKnownBeforeItsFirstMessage() {
    receiving("stok").carryOutRequests(10);
    assertThat(parkedOf(Reader.consumer("stok"))).isEmpty();
    assertThat(parked("stok").retry(ParkedSelection.ALL)).isZero();
  }

  @Test
  final void sourceOfAParkedMessageIsAsItsSenderGaveIt() throws Exception {
    List<Received> sent = List.of(from("a", "b"), from("", "a b"), from("", " c"), from("", "d"));
    for (Received message : sent) {
      receiving("stock")
          .park(message, new ParkedFailure(ParkedState.RETRYING, true, 3, "no stock", AT_ONCE), 10);
    }
    assertThat(parkedOf(Reader.consumer("stock")))
        .extracting(row -> row.message().source())
        .containsExactlyElementsOf(
            sent.stream().map(message -> message.inboxId().source()).toList());
    List<Received> tried = new ArrayList<>();
    ReceiverStore store =
        ((ParkingHandler) outledger.inbox("stock").handler((connection, row) -> tried.add(row)))
            .store();
    for (ParkedReceived due : store.due(10)) {
      assertThat(store.retry(due)).isTrue();
    }
    assertThat(tried)
        .extracting(message -> List.of(message.origin(), message.source()))
        .containsExactlyInAnyOrderElementsOf(
            sent.stream().map(message -> List.of(message.origin(), message.source())).toList());
  }

  private static Received from(String origin, String source) {
    return new Received(
        source, "1", "orders", null, "order", 1, new byte[0], Map.of(), null, origin, "");
  }
}
