// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.StoreException;
import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.Received;
import io.outledger.store.ParkedFailure;
import io.outledger.store.ParkedState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is no message becomes a dead letter of the consumer. */
class ParkedUnreadableTest {

  private final ScriptedStore store = new ScriptedStore();

  @Test
  void aDeliveryIsADeadLetterThatHoldsNothing() throws Exception {
    UnreadableMessages parked = UnreadableMessages.parked(store, 10);

    parked.setAside("record orders-0@7", "{}".getBytes(UTF_8), "OUT-014 no ce_id");

    Received message = store.rows.get(0).message();
    assertThat(message.topic()).isEqualTo("record orders-0@7");
    assertThat(message.type()).isEqualTo("outledger.unreadable");
    assertThat(message.key()).isNull();
    assertThat(message.payload()).asString(UTF_8).isEqualTo("{}");
    ParkedFailure failure = store.rows.get(0).failure();
    assertThat(failure.state()).isEqualTo(ParkedState.DEAD);
    assertThat(failure.blocks()).isFalse();
    assertThat(failure.reason()).isEqualTo("OUT-014 no ce_id");
  }

  /** The places of a queue begin again with each connection. */
  @Test
  void twoDeliveriesOfOnePlaceAreTwo() throws Exception {
    UnreadableMessages parked = UnreadableMessages.parked(store, 10);
    parked.setAside("delivery 1", new byte[1], "no CloudEvent");
    parked.setAside("delivery 1", new byte[1], "no CloudEvent");

    assertThat(store.rows.stream().map(each -> each.message().inboxId()).distinct()).hasSize(2);
  }

  @Test
  void aPlaceOfAnyFormCanBeStored() throws Exception {
    UnreadableMessages.parked(store, 10).setAside("a\0b" + "x".repeat(999), new byte[0], "no");

    assertThat(store.rows.get(0).message().topic())
        .hasSizeLessThanOrEqualTo(200)
        .doesNotContain("\0");
  }

  @Test
  void withoutRoomItIsHeld() {
    store.isFull = true;
    UnreadableMessages parked = UnreadableMessages.parked(store, 10);
    assertThatThrownBy(() -> parked.setAside("delivery 1", new byte[0], "no"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("OUT-033");
  }

  @Test
  void aHandlerWithoutADatabaseIsRefused() {
    BatchHandler mere = batch -> {};
    assertThatThrownBy(() -> UnreadableMessages.parked(mere, 10))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("not an inbox's");
    assertThatThrownBy(() -> UnreadableMessages.parked(store, 0))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("parkedMax");
  }

  /** A receiver that opens nothing. */
  private static final class Choosing extends BrokerReceiver<Choosing> {

    Choosing(ReceiverSettings settings) {
      super(settings);
    }

    @Override
    protected Choosing with(ReceiverSettings other) {
      return new Choosing(other);
    }

    @Override
    protected OpenReceiver open(BatchHandler handler) {
      throw new IllegalStateException("opens nothing");
    }
  }

  /** Whoever may write to a topic must leave room for the good messages that fail. */
  @Test
  void whatIsForeignHasHalfOfTheReceiversOwnRoom() throws Exception {
    assertThat(roomOf(1_000_000)).isEqualTo(500_000);
    assertThat(roomOf(100)).isEqualTo(50);
    assertThat(roomOf(1)).isEqualTo(1);
  }

  private int roomOf(int parkedMax) throws Exception {
    Choosing receiver =
        new Choosing(ReceiverSettings.DEFAULT)
            .options(ReceiverOptions.DEFAULT.withParkedMax(parkedMax))
            .unreadableParkedByDefault(store);
    UnreadableMessages unreadable = receiver.settings.unreadable();
    assertThat(unreadable).isNotNull();
    unreadable.setAside("orders-0@7", new byte[1], "no CloudEvent");
    return store.rooms.get(store.rooms.size() - 1);
  }

  @Test
  void theDefaultIsTakenUnlessSomethingElseWasChosen() {
    UnreadableMessages parked = UnreadableMessages.parked(store, 10);
    List<String> told = new ArrayList<>();
    UnreadableMessages own = (place, payload, reason) -> told.add(place);

    Choosing plain = new Choosing(ReceiverSettings.DEFAULT);
    assertThat(plain.unreadableByDefault(parked).settings.unreadable()).isSameAs(parked);
    assertThat(
            new Choosing(ReceiverSettings.DEFAULT.withUnreadable(own))
                .unreadableByDefault(parked)
                .settings
                .unreadable())
        .isSameAs(own);
    assertThat(
            plain
                .options(ReceiverOptions.DEFAULT.withoutParking())
                .unreadableByDefault(parked)
                .settings
                .unreadable())
        .isNull();
  }
}
