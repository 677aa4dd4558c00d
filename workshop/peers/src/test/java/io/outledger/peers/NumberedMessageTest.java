// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NumberedMessageTest {

  @Test
  void payloadHasItsSizeAndTellsItsNumber() {
    for (int number : new int[] {1, 10, 99_999, 1_000_000}) {
      NumberedMessage message = new NumberedMessage(number);

      assertThat(message.payloadBytes()).hasSize(NumberedMessage.PAYLOAD_BYTES);
      assertThat(NumberedMessage.numberOf(message.payload())).isEqualTo(number);
      assertThat(NumberedMessage.numberOf(message.payloadBytes())).isEqualTo(number);
    }
  }

  @Test
  void thereAreAThousandKeys() {
    Set<String> keys = new HashSet<>();

    NumberedMessage.range(1, 100_000).forEach(message -> keys.add(message.key()));

    assertThat(keys).hasSize(NumberedMessage.KEYS);
  }
}
