// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.frontier.Frontier;
import io.outledger.frontier.Positions;
import io.outledger.store.LedgerMessage;
import io.outledger.store.Page;
import io.outledger.store.PollRequest;
import io.outledger.store.RelayStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a page is kept small without anything being taken for a hole. */
abstract class PageBytesContractTests extends StoreContractTests {

  private static final int SIZE = 100;

  @Test
  void messageLargerThanAPageIsReadAlone() {
    long large = committed(messageOfBytes(5 * SIZE));
    long small = committed(messageOfBytes(SIZE));
    RelayStore store = owner().store();
    Page page = store.poll(new PollRequest(0, 10, SIZE, Positions.NONE));
    assertThat(positions(page)).containsExactly(large);
    assertThat(page.more()).isTrue();
    assertThat(readAll(store, Frontier.START, SIZE)).containsExactly(large, small);
  }

  @Test
  void largeOpenMessageIsReadAlone() {
    long large = committed(messageOfBytes(5 * SIZE));
    Page page = owner().store().poll(new PollRequest(large, 10, SIZE, Positions.of(large)));
    assertThat(positions(page)).containsExactly(large);
  }

  @Test
  void pageIsCutAfterItsBytesAndTheNextOnesReadTheRest() {
    List<Long> positions = committedOfSize(7);
    RelayStore store = owner().store();
    Page page = store.poll(new PollRequest(0, 10, 2 * SIZE, Positions.NONE));
    assertThat(positions(page)).isEqualTo(positions.subList(0, 2));
    assertThat(page.more()).isTrue();
    assertThat(readAll(store, Frontier.START, 2 * SIZE)).isEqualTo(positions);
  }

  /** Many small ones take far more memory than their text, and than the payload. */
  @Test
  void headersCountAsBytesOfAPage() {
    List<Long> positions = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      positions.add(committed(messageOfHeaders(100, "v")));
    }
    RelayStore store = owner().store();
    long bytesMax = 2 * new LedgerMessage(1, messageOfHeaders(100, "v")).bytes();
    Page page = store.poll(new PollRequest(0, 10, bytesMax, Positions.NONE));
    assertThat(positions(page)).isEqualTo(positions.subList(0, 2));
    assertThat(page.more()).isTrue();
    assertThat(readAll(store, Frontier.START, bytesMax)).isEqualTo(positions);
  }

  @Test
  void largeHeadersComeWithTheirMessage() {
    Message large = messageOfHeaders(3, "\u20ac".repeat(4_000));
    List<Long> positions = List.of(committed(large), committed(large), committed(large));
    RelayStore store = owner().store();
    Page page = store.poll(new PollRequest(0, 10, Long.MAX_VALUE, Positions.NONE));
    assertThat(positions(page)).isEqualTo(positions);
    assertThat(page.messages()).allMatch(read -> read.unreadable() == null);
    assertThat(page.messages())
        .allSatisfy(read -> assertThat(read.message().headers()).isEqualTo(large.headers()));
    assertThat(readAll(store, Frontier.START, SIZE)).isEqualTo(positions);
  }

  private static Message messageOfHeaders(int count, String value) {
    Message.Builder message = Message.to("orders", "order.placed");
    for (int i = 0; i < count; i++) {
      message.header("h" + i, value);
    }
    return message.build();
  }

  @Test
  void whatIsWithheldIsTheRestOfWhatIsVisible() {
    List<Long> positions = committedOfSize(4);
    long hole = rolledBack();
    long high = committed(messageOfBytes(SIZE));
    Page page = owner().store().poll(new PollRequest(high, 10, 2 * SIZE, Positions.range(1, high)));
    assertThat(positions(page)).isEqualTo(positions.subList(0, 2));
    assertThat(page.withheld()).isEqualTo(Positions.of(positions.get(2), positions.get(3), high));
    assertThat(page.withheld().contains(hole)).isEqualTo(hole == high); // where it is drawn again
    assertThat(page.more()).isTrue();
  }

  @Test
  void nothingHigherIsReadBeforeALowerOneThatWasWithheld() {
    List<Long> positions = committedOfSize(3);
    long above = committed(messageOfBytes(1));
    long high = positions.get(2);
    Page page = owner().store().poll(new PollRequest(high, 10, 2 * SIZE, Positions.range(1, high)));
    assertThat(positions(page)).isEqualTo(positions.subList(0, 2)).doesNotContain(above);
    assertThat(page.withheld().contains(high)).isTrue();
  }

  @Test
  void cutPagesReadOpenAndHigherOnesOnceEach() {
    List<Long> open = committedOfSize(5);
    rolledBack();
    List<Long> higher = committedOfSize(5);
    long high = open.get(4);
    List<Long> all = new ArrayList<>(open);
    all.addAll(higher);
    Frontier from = new Frontier(high, Positions.range(1, high));
    assertThat(readAll(owner().store(), from, 3 * SIZE)).isEqualTo(all);
  }

  /** Reads as a relay does that settles each message at once and keeps what was withheld open. */
  private static List<Long> readAll(RelayStore store, Frontier from, long bytesMax) {
    List<Long> read = new ArrayList<>();
    Frontier frontier = from;
    for (int polls = 0; polls < 20; polls++) {
      Page page = store.poll(new PollRequest(frontier.high(), 10, bytesMax, frontier.open()));
      frontier = frontier.readTo(page.readTo());
      assertThat(page.withheld().minus(frontier.open()).isEmpty()).isTrue();
      for (long position : positions(page)) {
        assertThat(frontier.open().contains(position)).isTrue();
        frontier = frontier.settle(Positions.of(position));
        read.add(position);
      }
      if (!page.more()) {
        return read;
      }
    }
    throw new AssertionError("still cut short after 20 polls: " + read);
  }

  private List<Long> committedOfSize(int messages) {
    List<Long> positions = new ArrayList<>();
    for (int i = 0; i < messages; i++) {
      positions.add(committed(messageOfBytes(SIZE)));
    }
    return positions;
  }
}
