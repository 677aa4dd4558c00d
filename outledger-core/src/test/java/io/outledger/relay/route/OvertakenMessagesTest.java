// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class OvertakenMessagesTest {

  private final OvertakenMessages overtaken = new OvertakenMessages();

  private static Delivery delivery(String key, long position) {
    return Deliveries.delivery(position, key);
  }

  private static Set<Place> places(long... positions) {
    return Arrays.stream(positions)
        .mapToObj(position -> delivery("k", position).place())
        .collect(Collectors.toSet());
  }

  @Test
  void rejectedMessageIsOvertakenOnceAFollowerIsPublished() {
    overtaken.rejected(delivery("k", 1), places(2, 3));
    assertThat(overtaken.published(delivery("other", 4))).isEmpty();
    assertThat(overtaken.published(delivery("k", 2)))
        .extracting(Delivery::position)
        .containsExactly(1L);
    assertThat(overtaken.published(delivery("k", 3))).as("told once").isEmpty();
  }

  @Test
  void rejectedMessageWhoseFollowersAreAllRejectedIsNotOvertaken() {
    overtaken.rejected(delivery("k", 1), places(2, 3));
    overtaken.rejected(delivery("k", 2), places(3));
    overtaken.rejected(delivery("k", 3), Set.of());
    assertThat(overtaken.published(delivery("k", 4))).isEmpty();
    assertThat(overtaken.takeUnknown()).isEmpty();
  }

  @Test
  void lastFollowerThatIsPublishedOvertakesAllThatWereRejected() {
    overtaken.rejected(delivery("k", 1), places(2, 3));
    overtaken.rejected(delivery("k", 2), places(3));
    assertThat(overtaken.published(delivery("k", 3)))
        .extracting(Delivery::position)
        .containsExactly(1L, 2L);
  }

  @Test
  void followerOfUnknownFateMayHaveOvertaken() {
    overtaken.rejected(delivery("k", 1), places(2));
    assertThat(overtaken.takeUnknown()).extracting(Delivery::position).containsExactly(1L);
    assertThat(overtaken.takeUnknown()).isEmpty();
  }
}
