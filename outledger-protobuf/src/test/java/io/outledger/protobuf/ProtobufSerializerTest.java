// SPDX-License-Identifier: Apache-2.0
package io.outledger.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Message;
import com.google.protobuf.StringValue;
import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.protobuf.shop.Demanding;
import io.outledger.protobuf.shop.Line;
import io.outledger.protobuf.shop.OrderPlaced;
import io.outledger.protobuf.shop.OrderPlacedBefore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

final class ProtobufSerializerTest {

  static final OrderPlaced ORDER =
      OrderPlaced.newBuilder()
          .setOrderId("o-1")
          .setCents(1990)
          .addLines(Line.newBuilder().setSku("tea").setCount(2))
          .setGift("for you")
          .putLabels("colour", "red")
          .build();

  private final ProtobufSerializer serializer = ProtobufSerializer.create();

  @Test
  void anEventIsWrittenAndRead() {
    byte[] payload = serializer.write(ORDER);

    assertThat(payload).isEqualTo(ORDER.toByteArray());
    assertThat(serializer.read(payload, OrderPlaced.class)).isEqualTo(ORDER);
    assertThat(serializer.readExactly(payload, OrderPlaced.class)).isEqualTo(ORDER);
    assertThat(serializer.contentType()).isEqualTo("application/protobuf");
  }

  @Test
  void aClassOfTheLibraryIsAnEventLikeOthers() {
    StringValue text = StringValue.of("tea");
    assertThatNoException().isThrownBy(() -> serializer.check(StringValue.class));
    assertThat(serializer.read(serializer.write(text), StringValue.class)).isEqualTo(text);
  }

  @Test
  void aClassThatIsNotGeneratedIsRefusedAtTheStart() {
    assertThatThrownBy(() -> serializer.check(String.class))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll(
            "events of java.lang.String cannot be Protocol Buffers", "protobuf-java");
    assertThatThrownBy(() -> serializer.check(Message.class))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("getDefaultInstance()");
    assertThatThrownBy(() -> serializer.write("o-1"))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("no message of protobuf-java");
    assertThatThrownBy(() -> serializer.read(new byte[0], String.class))
        .isInstanceOf(InvalidMessageException.class);
  }

  @Test
  void aFieldThatIsRequiredMustBeThere() {
    assertThatThrownBy(() -> serializer.write(Demanding.newBuilder().buildPartial()))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageEndingWith("it lacks order_id");
    assertThatThrownBy(() -> serializer.read(new byte[0], Demanding.class))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("order_id");
  }

  @Test
  void whatAnOlderClassDoesNotKnowIsToldAndKept() {
    byte[] payload = serializer.write(ORDER);
    List<String> unknown = new ArrayList<>();
    OrderPlacedBefore before = serializer.read(payload, OrderPlacedBefore.class, unknown::add);

    assertThat(before.getOrderId()).isEqualTo("o-1");
    assertThat(unknown).containsExactly("2", "4", "5", "LineBefore.2");
    assertThat(serializer.read(serializer.write(before), OrderPlaced.class)).isEqualTo(ORDER);
    assertThatThrownBy(() -> serializer.readExactly(payload, OrderPlacedBefore.class))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageEndingWith("it has no field with the number 2");
  }

  @Test
  void whatAnOlderClassHasWrittenIsReadWithDefaults() {
    OrderPlacedBefore before = OrderPlacedBefore.newBuilder().setOrderId("o-1").build();
    OrderPlaced order = serializer.read(serializer.write(before), OrderPlaced.class);
    assertThat(order.getCents()).isZero();
    assertThat(order.hasGift()).isFalse();
    assertThat(order.getLabelsMap()).isEqualTo(Map.of());
  }

  @Test
  void whatCannotBeParsedIsAFailureOfTheMessage() {
    byte[] payload = {10, 9, 'C', 'A', 'N', 'A', 'R', 'Y'};
    assertThatThrownBy(() -> serializer.read(payload, OrderPlaced.class))
        .isInstanceOfSatisfying(
            InvalidMessageException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.UNREADABLE_PAYLOAD))
        .hasMessageContaining("a payload of 8 bytes cannot be read as")
        .hasMessageNotContaining("CANARY")
        .hasNoCause();
  }

  @Test
  @SuppressWarnings("NullAway") // that is the point
  void nullIsRefusedWithACode() {
    byte[] payload = {};
    List<ThrowingCallable> calls =
        List.of(
            () -> serializer.check(null),
            () -> serializer.write(null),
            () -> serializer.read(null, OrderPlaced.class, field -> {}),
            () -> serializer.read(payload, null, field -> {}),
            () -> serializer.read(payload, OrderPlaced.class, null),
            () -> serializer.readExactly(null, OrderPlaced.class),
            () -> serializer.readExactly(payload, null),
            () -> serializer.checkTree(null),
            () -> serializer.rewrite(payload, null, record -> null));
    assertThat(calls)
        .allSatisfy(call -> assertThatThrownBy(call).hasMessageStartingWith("OUT-021"));
  }
}
