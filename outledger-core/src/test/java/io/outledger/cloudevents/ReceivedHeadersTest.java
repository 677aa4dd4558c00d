// SPDX-License-Identifier: Apache-2.0
package io.outledger.cloudevents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.InvalidMessageException;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ReceivedHeadersTest {

  private final ReceivedHeaders headers = new ReceivedHeaders(Arrival.ONE, ReservedHeaders.NONE);

  @Test
  void textThatNoDatabaseCouldStoreIsLeftOut() {
    headers.add("binary", new byte[] {(byte) 0xc3, (byte) 0x28});
    headers.add("none", null);
    headers.add("nul", "a\0b".getBytes(UTF_8));
    headers.add("na\0me", "a".getBytes(UTF_8));
    headers.addText("textnone", null);
    headers.addText("textnul", "a\0b");
    headers.addText("half", "a\ud83d");
    headers.add("tenant", "grün".getBytes(UTF_8));
    headers.addText("face", "\ud83d\ude00");
    assertThat(headers.texts()).isEqualTo(Map.of("tenant", "grün", "face", "\ud83d\ude00"));
  }

  @Test
  void lastOfOneNameCountsAndTheNameIsNoted() {
    headers.addText("a", "1");
    assertThat(headers.isRepeated("a")).isFalse();
    headers.addText("a", "2");
    assertThat(headers.isRepeated("a")).isTrue();
    assertThat(headers.texts()).isEqualTo(Map.of("a", "2"));
    headers.add("a", null);
    assertThat(headers.texts()).isEmpty();
  }

  @Test
  void whatTheReceiverSaysReplacesWhatTheSenderSaid() {
    headers.addText("a", "1");
    headers.addText("a", "2");
    headers.addText("b", "1");
    headers.set("a", "ours");
    headers.set("b", null);
    headers.set("c", "a\0b");
    assertThat(headers.texts()).isEqualTo(Map.of("a", "ours"));
    assertThat(headers.isRepeated("a")).isFalse();
  }

  @Test
  void numberAndSizeAreBounded() {
    for (int i = 0; i < ReceivedHeaders.COUNT_MAX; i++) {
      headers.addText("h" + i, "");
    }
    assertThatThrownBy(() -> headers.addText("h", ""))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("message 7 of orders has more headers than the receiver accepts");
    ReceivedHeaders large = new ReceivedHeaders(Arrival.ONE, ReservedHeaders.NONE);
    large.add("h", new byte[ReceivedHeaders.BYTES_MAX - 1]);
    assertThatThrownBy(() -> large.addText("i", null)).hasMessageContaining("more headers");
    ReceivedHeaders larger = new ReceivedHeaders(Arrival.ONE, ReservedHeaders.NONE);
    assertThatThrownBy(() -> larger.addText("h", "x".repeat(ReceivedHeaders.BYTES_MAX)))
        .hasMessageContaining("more headers");
  }

  @Test
  void copiesAreTheCallersOwn() {
    headers.addText("a", "1");
    headers.texts().clear();
    assertThat(headers.texts()).isEqualTo(Map.of("a", "1"));
  }
}
