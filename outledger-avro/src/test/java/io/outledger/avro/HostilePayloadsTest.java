// SPDX-License-Identifier: Apache-2.0
package io.outledger.avro;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.avro.shop.Folder;
import io.outledger.avro.shop.OrderPlaced;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever bytes arrive, the message is at fault, and what comes after it is read. */
final class HostilePayloadsTest {

  private static final long SEED = Long.getLong("outledger.seed", 1);
  private static final int COUNT = Integer.getInteger("outledger.seeds", 20_000);

  private final AvroSerializer serializer = AvroSerializer.create();

  private byte[] headed(Class<?> type, byte... data) {
    byte[] header = serializer.write(type == Folder.class ? new Folder("", null) : Orders.ORDER);
    byte[] payload = Arrays.copyOf(header, SingleObject.HEADER_BYTES + data.length);
    System.arraycopy(data, 0, payload, SingleObject.HEADER_BYTES, data.length);
    return payload;
  }

  private void refused(byte[] payload, Class<?> type, String why) {
    assertThatThrownBy(() -> serializer.read(payload, type))
        .isInstanceOfSatisfying(
            InvalidMessageException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.UNREADABLE_PAYLOAD))
        .hasMessageContaining(why)
        .hasNoCause();
    assertThat(serializer.read(serializer.write(Orders.ORDER), OrderPlaced.class))
        .isEqualTo(Orders.ORDER);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{}", "\u0000\u0001", "\u00c3\u0001", "\u00c3\u0002345678901"})
  void whatIsNotSingleObjectEncodingIsRefused(String latin) {
    refused(
        latin.getBytes(ISO_8859_1), OrderPlaced.class, "is not in Avro's single-object encoding");
  }

  @Test
  void everyPayloadThatEndsEarlyIsRefused() {
    byte[] whole = serializer.write(Orders.ORDER);
    for (int length = SingleObject.HEADER_BYTES; length < whole.length; length++) {
      refused(Arrays.copyOf(whole, length), OrderPlaced.class, "cannot be read as");
    }
    refused(Arrays.copyOf(whole, whole.length + 1), OrderPlaced.class, "something follows");
  }

  @Test
  void aLengthThatIsNotThereIsNotBelieved() {
    byte[] huge = {-2, -1, -1, -1, 15}; // 2,147,483,647
    byte[] negative = {1};
    refused(headed(OrderPlaced.class, huge), OrderPlaced.class, "cannot be read as");
    refused(headed(OrderPlaced.class, negative), OrderPlaced.class, "cannot be read as");
    byte[] lines = {2, 'o', 2, -2, -1, -1, -1, 15};
    refused(headed(OrderPlaced.class, lines), OrderPlaced.class, "cannot be read as");
  }

  @Test
  void whatIsNestedTooDeeplyIsRefused() {
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    for (int i = 0; i < 500_000; i++) {
      data.write(0); // an empty name
      data.write(2); // and again a folder
    }
    refused(headed(Folder.class, data.toByteArray()), Folder.class, "nested too deeply");
  }

  @Test
  void bytesAtRandomAreReadOrRefused() {
    byte[] whole = serializer.write(Orders.ORDER);
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
      OrderPlaced order = Orders.random(new SplittableRandom(SEED + i));
      assertThat(serializer.readExactly(serializer.write(order), OrderPlaced.class))
          .as("seed %s", SEED + i)
          .isEqualTo(order);
    }
  }
}
