// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.store.LedgerMessage;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OvertakingsTest {

  private final Overtakings overtakings = new Overtakings();

  private static Delivery delivery(String key, long position) {
    Message message = Message.to("orders", "placed").key(key).build();
    return new Delivery(new LedgerMessage(position, message), message, null, null);
  }

  @Test
  void rejectedMessageIsOvertakenOnceAFollowerIsPublished() {
    overtakings.rejected(delivery("k", 1), Set.of(2L, 3L));
    assertThat(overtakings.published(delivery("other", 4))).isEmpty();
    assertThat(overtakings.published(delivery("k", 2)))
        .extracting(Delivery::position)
        .containsExactly(1L);
    assertThat(overtakings.published(delivery("k", 3))).as("told once").isEmpty();
  }

  @Test
  void rejectedMessageWhoseFollowersAreAllRejectedIsNotOvertaken() {
    overtakings.rejected(delivery("k", 1), Set.of(2L, 3L));
    overtakings.rejected(delivery("k", 2), Set.of(3L));
    overtakings.rejected(delivery("k", 3), Set.of());
    assertThat(overtakings.published(delivery("k", 4))).isEmpty();
    assertThat(overtakings.takeUnknown()).isEmpty();
  }

  @Test
  void lastFollowerThatIsPublishedOvertakesAllThatWereRejected() {
    overtakings.rejected(delivery("k", 1), Set.of(2L, 3L));
    overtakings.rejected(delivery("k", 2), Set.of(3L));
    assertThat(overtakings.published(delivery("k", 3)))
        .extracting(Delivery::position)
        .containsExactly(1L, 2L);
  }

  @Test
  void followerOfUnknownFateMayHaveOvertaken() {
    overtakings.rejected(delivery("k", 1), Set.of(2L));
    assertThat(overtakings.takeUnknown()).extracting(Delivery::position).containsExactly(1L);
    assertThat(overtakings.takeUnknown()).isEmpty();
  }
}
