// SPDX-License-Identifier: Apache-2.0
package io.outledger.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.protobuf.shop.Folder;
import io.outledger.protobuf.shop.Line;
import io.outledger.protobuf.shop.OrderPlaced;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Whatever bytes arrive, the message is at fault; and what was written is read as it was. */
final class HostilePayloadsTest {

  private static final long SEED = Long.getLong("outledger.seed", 1);
  private static final int COUNT = Integer.getInteger("outledger.seeds", 20_000);

  private final ProtobufSerializer serializer = ProtobufSerializer.create();

  private void refused(byte[] payload, Class<?> type) {
    assertThatThrownBy(() -> serializer.read(payload, type))
        .isInstanceOfSatisfying(
            InvalidMessageException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.UNREADABLE_PAYLOAD))
        .hasNoCause();
  }

  @Test
  void aLengthThatIsNotThereIsNotBelieved() {
    refused(new byte[] {10, -1, -1, -1, -1, 7}, OrderPlaced.class); // 2,147,483,647 bytes of text
    refused(new byte[] {10, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1}, OrderPlaced.class);
  }

  @Test
  void whatIsNestedTooDeeplyIsRefused() {
    ByteString nested = ByteString.EMPTY;
    for (int i = 0; i < 10_000; i++) {
      UnknownFieldSet.Field content =
          UnknownFieldSet.Field.newBuilder().addLengthDelimited(nested).build();
      nested = UnknownFieldSet.newBuilder().addField(1, content).build().toByteString();
    }
    refused(nested.toByteArray(), Folder.class);
  }

  @Test
  void bytesAtRandomAreReadOrRefused() {
    byte[] whole = serializer.write(ProtobufSerializerTest.ORDER);
    for (int i = 0; i < COUNT; i++) {
      SplittableRandom random = new SplittableRandom(SEED + i);
      byte[] payload = whole.clone();
      for (int flips = random.nextInt(1, 6); flips > 0; flips--) {
        payload[random.nextInt(payload.length)] = (byte) random.nextInt();
      }
      try {
        serializer.read(payload, OrderPlaced.class);
      } catch (InvalidMessageException e) {
        assertThat(e.code()).as("seed %s", SEED + i).isEqualTo(ErrorCode.UNREADABLE_PAYLOAD);
      }
    }
  }

  @Test
  void everyEventIsReadAsItWasWritten() {
    for (int i = 0; i < COUNT; i++) {
      OrderPlaced order = random(new SplittableRandom(SEED + i));
      assertThat(serializer.readExactly(serializer.write(order), OrderPlaced.class))
          .as("seed %s", SEED + i)
          .isEqualTo(order);
    }
  }

  private static OrderPlaced random(SplittableRandom random) {
    OrderPlaced.Builder order =
        OrderPlaced.newBuilder().setOrderId(text(random)).setCents(random.nextLong());
    for (int i = random.nextInt(4); i > 0; i--) {
      order.addLines(Line.newBuilder().setSku(text(random)).setCount(random.nextInt()));
    }
    if (random.nextBoolean()) {
      order.setGift(text(random));
    }
    if (random.nextBoolean()) {
      order.putLabels(text(random), text(random));
    }
    return order.build();
  }

  private static String text(SplittableRandom random) {
    byte[] bytes = new byte[random.nextInt(40)];
    random.nextBytes(bytes);
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
