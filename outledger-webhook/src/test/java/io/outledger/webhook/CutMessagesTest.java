// SPDX-License-Identifier: Apache-2.0
package io.outledger.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.webhook.CutMessages.Posted;
import java.net.URI;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class CutMessagesTest {

  private static final WebhookEndpoint ENDPOINT =
      WebhookEndpoint.inOwnNetwork(URI.create("http://localhost/"));

  private final CutMessages cut = new CutMessages();

  private static Posted message(long position) {
    return new Posted(ENDPOINT, position, new UUID(0, position));
  }

  @Test
  void eachMessageIsBlamedForItsThirdCut() {
    assertThat(cut.countAndBlame(message(1))).isFalse();
    assertThat(cut.countAndBlame(message(2))).isFalse();
    assertThat(cut.countAndBlame(message(1))).isFalse();
    assertThat(cut.countAndBlame(message(1))).isTrue();
    assertThat(cut.countAndBlame(message(1))).isTrue();
    assertThat(cut.countAndBlame(message(2))).isFalse();
  }

  @Test
  void anAnswerEndsTheRow() {
    cut.countAndBlame(message(1));
    cut.countAndBlame(message(1));
    cut.forget(message(1));
    assertThat(cut.countAndBlame(message(1))).isFalse();
  }

  @Test
  void whatIsKnownIsBounded() {
    for (int round = 0; round < CutMessages.BLAMED_FROM; round++) {
      for (int i = 0; i <= CutMessages.KNOWN_MAX; i++) {
        assertThat(cut.countAndBlame(message(i))).isFalse();
      }
    }
  }
}
