// SPDX-License-Identifier: Apache-2.0
package io.outledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.time.TimeSource;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MessageTest {

  private static final Instant THEN = Instant.ofEpochMilli(0x0123_4567_89abL);

  private static final TimeSource TIME =
      new TimeSource() {
        @Override
        public Instant now() {
          return THEN;
        }

        @Override
        public long nanoTime() {
          return 0;
        }
      };

  @Test
  void copyHasEverythingAndIsChangedAlone() {
    Message message =
        Message.to("orders", "placed").key("k").version(3).header("a", "1").time(THEN).build();
    Message copy = message.copy().build();
    assertThat(copy).usingRecursiveComparison().isEqualTo(message);
    assertThat(message.copy().header("b", "2").build().headers()).containsOnlyKeys("a", "b");
    assertThat(message.headers()).containsOnlyKeys("a");
  }

  @Test
  void tombstoneHasAKeyAndNoPayload() {
    Message tombstone =
        Message.to("states", "state").key("c").payload(new byte[1]).tombstone().build();
    assertThat(tombstone.isTombstone()).isTrue();
    assertThat(tombstone.payload()).isEmpty();
    assertThat(tombstone.copy().build().isTombstone()).isTrue();
    assertThat(Message.to("states", "state").key("c").build().isTombstone()).isFalse();
    Message.Builder keyless = Message.to("states", "state").tombstone();
    assertThatThrownBy(keyless::build).hasMessageContaining("must have a key");
    Message.Builder full = tombstone.copy().payload(new byte[1]);
    assertThatThrownBy(full::build).hasMessageContaining("no payload");
  }

  @Test
  void isNamedWithoutWhatMayBePersonal() {
    Message message = Message.to("orders", "placed").key("secret").header("h", "secret").build();
    assertThat(message).hasToString("Message[" + message.id() + " orders placed v1]");
  }

  @Test
  void idIsTheTimeTheVersionAndOtherwiseChance() {
    MessageIds ids = new MessageIds(TIME, new SplittableRandom(1));
    long ones = -1;
    long varies = 0;
    long always = -1;
    for (int i = 0; i < 200; i++) {
      UUID id = ids.next();
      assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(0x0123_4567_89abL);
      assertThat(id.version()).isEqualTo(7);
      assertThat(id.variant()).isEqualTo(2);
      varies |= id.getMostSignificantBits() & 0x0fff;
      always &= id.getMostSignificantBits() & 0x0fff;
      ones &= id.getLeastSignificantBits();
    }
    assertThat(varies).isEqualTo(0x0fff);
    assertThat(always).isZero();
    assertThat(ones).isEqualTo(0x8000_0000_0000_0000L);
  }

  @Test
  void systemsClockGoesOn() {
    TimeSource system = TimeSource.system();
    long before = System.nanoTime();
    assertThat(system.nanoTime()).isBetween(before, System.nanoTime());
  }
}
