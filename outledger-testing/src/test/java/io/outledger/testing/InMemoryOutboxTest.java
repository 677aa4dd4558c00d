// SPDX-License-Identifier: Apache-2.0
package io.outledger.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.Outbox;
import io.outledger.event.EventTypes;
import io.outledger.event.Events;
import io.outledger.event.PayloadSerializer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class InMemoryOutboxTest {

  private record OrderPlaced(String orderId) {}

  private record OrderShipped(String orderId) {}

  private final InMemoryOutbox outbox =
      new InMemoryOutbox(
          Events.builder()
              .types(
                  EventTypes.builder()
                      .register(
                          OrderPlaced.class,
                          type ->
                              type.name("order.placed")
                                  .version(2)
                                  .topic("orders")
                                  .key(OrderPlaced::orderId))
                      .build())
              .serializer(new TextSerializer())
              .build());

  @Test
  void eventsAndMessagesAreKeptInOrder() {
    Message message = Message.to("mails", "mail.requested").build();
    outbox.append(new OrderPlaced("1"), message);
    outbox.append(new OrderPlaced("2"));
    assertThat(outbox.messages())
        .extracting(Message::type)
        .containsExactly("order.placed", "mail.requested", "order.placed");
    assertThat(outbox.messages("orders")).extracting(Message::key).containsExactly("1", "2");
    assertThat(outbox.events(OrderPlaced.class))
        .containsExactly(new OrderPlaced("1"), new OrderPlaced("2"));
  }

  @Test
  void idsOfTheMessagesAreReturnedToWhoeverAppendsThroughTheInterface() {
    Outbox door = outbox;
    List<UUID> ids = door.append(new OrderPlaced("1"), new OrderPlaced("2"));
    assertThat(outbox.messages()).extracting(Message::id).containsExactlyElementsOf(ids);
  }

  @Test
  void whatATransactionTakesIsThereWhenItHasCommitted() {
    InMemoryOutbox committed = outbox.begin();
    committed.append(new OrderPlaced("1"));
    InMemoryOutbox rolledBack = outbox.begin();
    rolledBack.append(new OrderPlaced("2"));
    assertThat(outbox.appended()).isEmpty();
    outbox.commit(committed);
    assertThat(outbox.events(OrderPlaced.class)).containsExactly(new OrderPlaced("1"));
  }

  @Test
  void unregisteredEventIsRefusedAndNothingIsKept() {
    assertThatExceptionOfType(InvalidMessageException.class)
        .isThrownBy(() -> outbox.append(new OrderPlaced("1"), new OrderShipped("1")))
        .matches(e -> e.code() == ErrorCode.UNREGISTERED_TYPE);
    assertThat(outbox.messages()).isEmpty();
    assertThat(outbox.events(Object.class)).isEmpty();
  }

  @Test
  void messageWithoutTheKeyItsTopicNeedsIsRefused() {
    assertThatExceptionOfType(InvalidMessageException.class)
        .isThrownBy(() -> outbox.append(Message.to("orders", "order.placed").build()))
        .matches(e -> e.code() == ErrorCode.MISSING_KEY);
  }

  @Test
  void outboxWithoutTypesTakesMessages() {
    InMemoryOutbox plain = new InMemoryOutbox();
    plain.append(Message.to("mails", "mail.requested").build());
    assertThat(plain.messages()).hasSize(1);
    plain.clear();
    assertThat(plain.messages()).isEmpty();
  }

  private static final class TextSerializer implements PayloadSerializer {

    @Override
    public String contentType() {
      return "text/plain";
    }

    @Override
    public byte[] write(Object event) {
      return event.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void check(Class<?> type) {}

    @Override
    public <T> T readExactly(byte[] payload, Class<T> type) {
      return read(payload, type);
    }

    @Override
    public <T> T read(byte[] payload, Class<T> type, Consumer<String> unknown) {
      return type.cast(new String(payload, StandardCharsets.UTF_8));
    }
  }
}
