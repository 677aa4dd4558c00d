// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.frontier.Positions;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Page;
import io.outledger.store.PollRequest;
import io.outledger.store.RelayStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A poll returns one snapshot, in order: everything committed and nothing else. */
abstract class PollContractTests extends StoreContractTests {

  @Test
  void messageIsReadAsItWasAppended() {
    byte[] payload = {0, (byte) 0xff, (byte) 0xc3, 0x28, 10};
    Message message =
        Message.to("orders", "order.placed")
            .id(UUID.fromString("01900000-0000-7000-8000-000000000001"))
            .key("schlüssel 🔑")
            .version(7)
            .payload(payload)
            .header("traceparent", "00-ab=c&d%y+f g-01")
            .header("empty", "")
            .time(Instant.parse("2026-02-28T23:59:59.123456Z"))
            .build();
    long position = committed(message);
    LedgerMessage read = owner().store().poll(above(0)).messages().get(0);
    assertThat(read).usingRecursiveComparison().isEqualTo(new LedgerMessage(position, message));
  }

  @Test
  void messageWithoutKeyHeadersAndPayloadIsReadAsItWasAppended() {
    Message message = Message.to("orders", "order.placed").build();
    long position = committed(message);
    LedgerMessage read = owner().store().poll(above(0)).messages().get(0);
    assertThat(read).usingRecursiveComparison().isEqualTo(new LedgerMessage(position, message));
  }

  @Test
  void messagesComeInOrderOfPosition() {
    List<Long> positions = committed("a", "b", "c", "d");
    Page page = owner().store().poll(above(0));
    assertThat(positions(page)).isEqualTo(positions).isSorted();
    assertThat(page.readTo()).isEqualTo(positions.get(3));
    assertThat(page.more()).isFalse();
    assertThat(page.withheld().isEmpty()).isTrue();
  }

  @Test
  void whereNothingIsNewThePageReadsToWhereItStood() {
    long position = committed("a").get(0);
    Page page = owner().store().poll(above(position));
    assertThat(page.messages()).isEmpty();
    assertThat(page.readTo()).isEqualTo(position);
    assertThat(page.more()).isFalse();
  }

  @Test
  void limitCutsThePageAndTheNextGoesOn() {
    List<Long> positions = committed("a", "b", "c", "d", "e");
    RelayStore store = owner().store();
    List<Long> read = new ArrayList<>();
    Page page = store.poll(new PollRequest(0, 2, BYTES, Positions.NONE));
    assertThat(page.more()).isTrue();
    for (int polls = 0; !page.messages().isEmpty() && polls < 5; polls++) {
      assertThat(page.messages()).hasSizeLessThanOrEqualTo(2);
      read.addAll(positions(page));
      page = store.poll(new PollRequest(page.readTo(), 2, BYTES, Positions.NONE));
    }
    assertThat(read).isEqualTo(positions);
  }

  @Test
  void limitDoesNotCountOpenPositions() {
    List<Long> positions = committed("a", "b", "c");
    Page page =
        owner()
            .store()
            .poll(
                new PollRequest(
                    positions.get(1), 1, BYTES, Positions.of(positions.get(0), positions.get(1))));
    assertThat(positions(page)).isEqualTo(positions);
  }

  @Test
  void openPositionThatIsNotVisibleMakesThePageNoLonger() {
    if (isForOneWriter()) {
      return;
    }
    LedgerWriter slow = fixture().begin();
    long late = slow.append(message("a"));
    List<Long> positions = committed("b", "c", "d");
    Page page = owner().store().poll(new PollRequest(late, 2, BYTES, Positions.of(late)));
    assertThat(positions(page)).isEqualTo(positions.subList(0, 2));
    assertThat(page.readTo()).isEqualTo(positions.get(1));
    assertThat(page.more()).isTrue();
    slow.rollback();
  }

  @Test
  void uncommittedMessageIsNotVisible() {
    Owner owner = owner();
    LedgerWriter writer = fixture().begin();
    writer.append(message("a"));
    assertThat(owner.store().poll(above(0)).messages()).isEmpty();
    writer.rollback();
  }

  @Test
  void lateCommitIsFoundAmongTheOpenAndComesFirst() {
    if (isForOneWriter()) {
      return;
    }
    LedgerWriter slow = fixture().begin();
    long late = slow.append(message("a"));
    long early = committed("a").get(0);
    RelayStore store = owner().store();
    Page page = store.poll(above(0));
    assertThat(positions(page)).containsExactly(early);
    slow.commit();
    long next = committed("a").get(0);
    assertThat(positions(store.poll(above(early, Positions.of(late))))).containsExactly(late, next);
  }

  @Test
  void rolledBackMessageNeverAppears() {
    long first = committed("a").get(0);
    long hole = rolledBack();
    long last = committed("c").get(0);
    assertThat(hole).isBetween(first, last); // the last one's where it is drawn again
    RelayStore store = owner().store();
    assertThat(positions(store.poll(above(0)))).containsExactly(first, last);
    Positions open = Positions.of(hole).minus(Positions.of(last));
    assertThat(store.poll(above(last, open)).messages()).isEmpty();
  }

  @Test
  void oneTransactionBecomesVisibleAsAWhole() {
    if (isForOneWriter()) {
      return;
    }
    LedgerWriter writer = fixture().begin();
    long first = writer.append(message("a"));
    long between = committed("b").get(0);
    long last = writer.append(message("a"));
    RelayStore store = owner().store();
    assertThat(positions(store.poll(above(0)))).containsExactly(between);
    writer.commit();
    assertThat(positions(store.poll(above(between, Positions.of(first)))))
        .containsExactly(first, last);
  }

  @Test
  void openPositionsAreFoundWithNothingAbove() {
    List<Long> positions = committed("a", "b", "c");
    Positions open = Positions.of(positions.get(0), positions.get(1));
    Page page = owner().store().poll(above(Long.MAX_VALUE, open));
    assertThat(positions(page)).isEqualTo(positions.subList(0, 2));
  }

  @Test
  void settledPositionsAreNotRead() {
    List<Long> positions = committed("a", "b", "c");
    Page page = owner().store().poll(above(positions.get(2), Positions.of(positions.get(1))));
    assertThat(positions(page)).containsExactly(positions.get(1));
  }

  @Test
  void manyOpenRangesAreLookedUpInOnePoll() {
    List<Long> positions = new ArrayList<>();
    LedgerWriter writer = fixture().begin();
    for (int i = 0; i < 600; i++) {
      positions.add(writer.append(messageOfBytes(1)));
    }
    writer.commit();
    List<Long> everySecond = new ArrayList<>();
    for (int i = 0; i < positions.size(); i += 2) {
      everySecond.add(positions.get(i));
    }
    Positions open = Positions.of(everySecond.stream().mapToLong(Long::longValue).toArray());
    assertThat(positions(owner().store().poll(above(positions.get(599), open))))
        .isEqualTo(everySecond);
  }

  @Test
  void pageNamesTheNewestRowWhoeverOwnsIt() {
    Owner first = owner();
    assertThat(first.store().poll(above(0)).newest()).isEqualTo(first.n());
    Owner second = owner();
    assertThat(first.store().poll(above(0)).newest()).isEqualTo(second.n());
  }
}
