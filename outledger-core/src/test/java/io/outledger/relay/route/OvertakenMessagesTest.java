// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.store.LedgerMessage;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OvertakenMessagesTest {

  private final OvertakenMessages overtaken = new OvertakenMessages();

  private static Delivery delivery(String key, long position) {
    Message message = Message.to("orders", "placed").key(key).build();
    return new Delivery(new LedgerMessage(position, message), message, null, null, null);
  }

  @Test
  void rejectedMessageIsOvertakenOnceAFollowerIsPublished() {
    overtaken.rejected(delivery("k", 1), Set.of(2L, 3L));
    assertThat(overtaken.published(delivery("other", 4))).isEmpty();
    assertThat(overtaken.published(delivery("k", 2)))
        .extracting(Delivery::position)
        .containsExactly(1L);
    assertThat(overtaken.published(delivery("k", 3))).as("told once").isEmpty();
  }

  @Test
  void rejectedMessageWhoseFollowersAreAllRejectedIsNotOvertaken() {
    overtaken.rejected(delivery("k", 1), Set.of(2L, 3L));
    overtaken.rejected(delivery("k", 2), Set.of(3L));
    overtaken.rejected(delivery("k", 3), Set.of());
    assertThat(overtaken.published(delivery("k", 4))).isEmpty();
    assertThat(overtaken.takeUnknown()).isEmpty();
  }

  @Test
  void lastFollowerThatIsPublishedOvertakesAllThatWereRejected() {
    overtaken.rejected(delivery("k", 1), Set.of(2L, 3L));
    overtaken.rejected(delivery("k", 2), Set.of(3L));
    assertThat(overtaken.published(delivery("k", 3)))
        .extracting(Delivery::position)
        .containsExactly(1L, 2L);
  }

  @Test
  void followerOfUnknownFateMayHaveOvertaken() {
    overtaken.rejected(delivery("k", 1), Set.of(2L));
    assertThat(overtaken.takeUnknown()).extracting(Delivery::position).containsExactly(1L);
    assertThat(overtaken.takeUnknown()).isEmpty();
  }
}
