// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.reading;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.frontier.Snapshot;
import io.outledger.relay.options.RelayOptions;
import io.outledger.store.LeaseGrant;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Page;
import io.outledger.store.PollRequest;
import io.outledger.store.ServerIdentity;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** How much an owner reads. */
class ProgressRoomTest {

  private static final ServerIdentity SERVER = new ServerIdentity("now", "ledger");

  /** Pages of 8 messages, of which a quarter must fit; 10 messages and 100 bytes in flight. */
  private final RelayOptions options =
      RelayOptions.builder()
          .polling(p -> p.withPageMessagesMax(8))
          .window(w -> w.withMessages(10))
          .window(w -> w.withBytes(100))
          .build();

  private final Progress progress =
      new Progress(new LeaseGrant(1, Frontier.START, Positions.NONE, List.of(), SERVER), options);

  /** Reads messages of 10 bytes each. */
  private void read(long first, long last) {
    List<LedgerMessage> messages =
        LongStream.rangeClosed(first, last)
            .mapToObj(position -> new LedgerMessage(position, message(10)))
            .toList();
    take(messages, last);
  }

  private void take(List<LedgerMessage> messages, long readTo) {
    PollRequest request = progress.request(true, 100, Long.MAX_VALUE);
    progress.took(
        request,
        new Page(
            messages, readTo, Positions.NONE, false, new Snapshot(1, Set.of()), 1, 0, 0, SERVER));
  }

  private static Message message(int bytes) {
    return Message.to("orders", "placed").payload(new byte[bytes]).build();
  }

  @Test
  void nothingIsReadUntilAQuarterOfAPageFits() {
    assertThat(progress.room(options)).isEqualTo(8);
    read(1, 9);
    assertThat(progress.room(options)).isZero();
    progress.settled(Positions.of(4));
    assertThat(progress.room(options)).isEqualTo(2);
  }

  /** Which share of a page fits, does not matter where the window is smaller than a page. */
  @Test
  void windowFarBelowAPageIsReadIntoWhileAMessageStaysOpen() {
    RelayOptions small =
        RelayOptions.builder()
            .polling(p -> p.withPageMessagesMax(1_000))
            .window(w -> w.withMessages(10))
            .build();
    read(1, 2);
    assertThat(progress.room(small)).isEqualTo(8);
    read(3, 8);
    assertThat(progress.room(small)).isEqualTo(2);
    read(9, 9);
    assertThat(progress.room(small)).as("less than a quarter of the window").isZero();
  }

  @Test
  void nothingIsReadBeyondTheBytesInFlight() {
    take(List.of(new LedgerMessage(1, message(100))), 1);
    assertThat(progress.room(options)).isEqualTo(8);
    take(List.of(new LedgerMessage(2, message(1)), new LedgerMessage(3, message(2))), 3);
    assertThat(progress.room(options)).isZero();
    progress.settled(Positions.of(2));
    assertThat(progress.room(options)).isZero();
    progress.settled(Positions.of(1));
    assertThat(progress.room(options)).isEqualTo(8);
  }

  @Test
  void bytesOfAMessageCountUntilItIsSettledAndNoLonger() {
    take(
        List.of(
            new LedgerMessage(1, message(60)),
            new LedgerMessage(2, message(1)),
            new LedgerMessage(4, message(60))),
        4);
    assertThat(progress.room(options)).isZero();
    progress.settled(Positions.of(2));
    assertThat(progress.room(options)).isZero();
    progress.settled(Positions.of(1));
    assertThat(progress.room(options)).isEqualTo(8);
    take(List.of(new LedgerMessage(5, message(60))), 5);
    assertThat(progress.room(options)).isZero();
    progress.settled(Positions.of(4));
    assertThat(progress.room(options)).isEqualTo(8);
  }
}
