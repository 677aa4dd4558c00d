// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.UnreadablePayloadException;
import io.outledger.event.EventTypes;
import io.outledger.event.Events;
import io.outledger.event.PayloadSerializer;
import io.outledger.inbox.Received;
import io.outledger.jdbc.admin.StoredTypes;
import io.outledger.jdbc.admin.StoredTypes.StoredType;
import io.outledger.store.LedgerMessage;
import io.outledger.store.ParkedChange;
import io.outledger.store.ParkedFailure;
import io.outledger.store.ParkedMessage;
import io.outledger.store.ParkedState;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which types and versions are still there, and whether a build reads them. */
abstract class StoredTypesContractTests extends AdminContractTests {

  record Placed(String orderId) {}

  private static final Events NONE = Events.builder().build();

  private static final EventTypes.Builder TYPES =
      EventTypes.builder()
          .register(
              Placed.class,
              type ->
                  type.name("order.placed")
                      .version(2)
                      .topic("orders")
                      .keyless()
                      .upcast(1, 2, StringBuilder.class, tree -> tree));
  private static final Events TWO =
      Events.builder().types(TYPES).serializer(TripSaga.TEXTS).build();

  private static Message of(String type, int version) {
    return Message.to("orders", type).version(version).build();
  }

  private static Received received(String type, int version) {
    byte[] payload = {};
    return new Received(
        "shop", type + version, "orders", "k", type, version, payload, Map.of(), null, "", "queue");
  }

  @Test
  final void whatIsInTheLedgerAndParkedIsCountedByTypeAndVersion() {
    append(
        List.of(
            of("order.placed", 2),
            of("order.placed", 1),
            of("order.placed", 1),
            of("order.placed", 3)));
    Owner owner = owner();
    LedgerMessage first = messagesOf(owner).get(0);
    settle(owner);
    owner.save(
        new ParkedChange.Park(
            new ParkedMessage(
                first.position(),
                "",
                first.message(),
                ParkedState.DEAD,
                1,
                true,
                null,
                false,
                0,
                null),
            "no",
            null));
    inTransaction(
        transaction ->
            database()
                .received()
                .park(
                    transaction,
                    "stock",
                    List.of(received("order.gone", 1)),
                    new ParkedFailure(ParkedState.DEAD, true, 3, "no", AT_ONCE)));

    StoredTypes stored = admin().storedTypes(TWO);

    assertThat(stored.isComplete()).isTrue();
    assertThat(stored.all())
        .extracting(StoredType::toString)
        .containsExactly(
            "order.gone v1 (0 in the ledger, 0 scheduled, 0 parked, 1 received and parked):"
                + " this build has no class for it",
            "order.placed v1 (2 in the ledger, 0 scheduled, 0 parked, 0 received and parked)",
            "order.placed v2 (1 in the ledger, 0 scheduled, 1 parked, 0 received and parked)",
            "order.placed v3 (1 in the ledger, 0 scheduled, 0 parked, 0 received and parked):"
                + " this build has no class for it");
    assertThat(stored.unread())
        .extracting(each -> each.type().toString())
        .containsExactly("order.gone v1", "order.placed v3");
    assertCode(ErrorCode.UNREGISTERED_TYPE, stored::requireRead);
  }

  @Test
  final void buildThatReadsEverythingPasses() {
    append(List.of(of("order.placed", 1), of("order.placed", 2)));
    assertThatNoException().isThrownBy(() -> admin().storedTypes(TWO).requireRead());
    assertThat(admin().storedTypes(NONE).unread()).hasSize(2);
  }

  private static Message writtenAs(String contentType) {
    return of("order.placed", 2)
        .copy()
        .header("aside", "content-type=text/plain")
        .header("content-type", contentType)
        .header("zone", "50%_!")
        .build();
  }

  @Test
  final void whatAnotherSerializerHasWrittenIsNotRead() {
    append(
        List.of(
            writtenAs("text/plain"),
            writtenAs("text/plain; charset=utf-8"),
            writtenAs("text/plainer"),
            writtenAs("application/x"),
            of("order.placed", 2)));
    StoredTypes stored = admin().storedTypes(TWO);
    assertThat(stored.unread())
        .extracting(StoredType::unread)
        .containsExactly(
            "2 of them have another content-type than text/plain, which is all that the serializer"
                + " of this build reads");
    assertCode(ErrorCode.UNREGISTERED_TYPE, stored::requireRead);
  }

  @Test
  final void whatIsNamedInAnotherCaseOrSaysNothingIsRead() {
    append(
        List.of(
            writtenAs("Text/PLAIN"),
            writtenAs("TEXT/plain;charset=UTF-8"),
            writtenAs("application/octet-stream")));
    assertThatNoException().isThrownBy(() -> admin().storedTypes(TWO).requireRead());
  }

  /** Writes as before, and reads what another serializer has written, too. */
  private record Both(PayloadSerializer one) implements PayloadSerializer {

    @Override
    public String contentType() {
      return one.contentType();
    }

    @Override
    public Set<String> contentTypes() {
      return Set.of(one.contentType(), "application/x");
    }

    @Override
    public void check(Class<?> type) {
      one.check(type);
    }

    @Override
    public byte[] write(Object event) {
      return one.write(event);
    }

    @Override
    public <T> T read(byte[] payload, Class<T> type, Consumer<String> unknownFields) {
      return type.cast(new Placed("o-1"));
    }

    @Override
    public <T> T readExactly(byte[] payload, Class<T> type) {
      return one.readExactly(payload, type);
    }

    @Override
    public void checkTree(Class<?> tree) {
      one.checkTree(tree);
    }
  }

  @Test
  final void serializerOfBothReadsWhatAnotherHasWritten() {
    append(List.of(writtenAs("text/plain"), writtenAs("application/x")));
    Events both = Events.builder().types(TYPES).serializer(new Both(TripSaga.TEXTS)).build();
    assertThatNoException().isThrownBy(() -> admin().storedTypes(both).requireRead());
  }

  private static final List<String> HEADERS =
      List.of(
          "text/plain",
          " Text/PLAIN ;x",
          "application/x",
          "application/vnd.shop.order+x",
          "Application/vnd.shop.order+X; charset=utf-8",
          "text/vnd.shop.order+x",
          "application/vnd.shop.order+plain",
          "application/x+y",
          "text/plainer",
          "plain",
          "application/octet-stream",
          "APPLICATION/octet-stream; x",
          "; charset=utf-8",
          "");

  @Test
  final void whatReadersRefuseIsWhatIsNotRead() {
    Events both = Events.builder().types(TYPES).serializer(new Both(TripSaga.TEXTS)).build();
    List<Message> messages = HEADERS.stream().map(each -> writtenAs(each)).toList();
    append(messages);
    long refused = messages.stream().filter(each -> isRefused(both, each)).count();
    assertThat(refused).isEqualTo(4);
    assertThat(admin().storedTypes(both).all())
        .extracting(StoredType::unread)
        .containsExactly(
            refused
                + " of them have another content-type than application/x, text/plain, which is all"
                + " that the serializer of this build reads");
  }

  private static boolean isRefused(Events events, Message message) {
    try {
      events.read(message);
      return false;
    } catch (UnreadablePayloadException e) {
      return String.valueOf(e.getMessage()).contains("as its header content-type says");
    }
  }

  @Test
  final void whatOthersHaveSentIsComparedToo() {
    park(Map.of("content-type", "Text/plain; charset=utf-8"));
    assertThatNoException().isThrownBy(() -> admin().storedTypes(TWO).requireRead());
    park(Map.of("content-type", "application/x"));
    StoredTypes stored = admin().storedTypes(TWO);
    assertThat(stored.unread())
        .extracting(StoredType::unread)
        .containsExactly(
            "1 of them have another content-type than text/plain, which is all that the serializer"
                + " of this build reads");
    assertCode(ErrorCode.UNREGISTERED_TYPE, stored::requireRead);
  }

  private void park(Map<String, String> headers) {
    byte[] payload = {};
    String id = "sent as " + headers;
    Received sent =
        new Received(
            "shop", id, "orders", "k", "order.placed", 2, payload, headers, null, "", "queue");
    inTransaction(
        transaction ->
            database()
                .received()
                .park(
                    transaction,
                    "stock",
                    List.of(sent),
                    new ParkedFailure(ParkedState.DEAD, true, 3, "no", AT_ONCE)));
  }

  /** Who has more of them names types by values. */
  @Test
  final void moreTypesThanAreListedAreTold() {
    append(
        IntStream.rangeClosed(0, StoredTypes.ROWS_MAX).mapToObj(i -> of("order." + i, 1)).toList());
    StoredTypes stored = admin().storedTypes(NONE);
    assertThat(stored.isComplete()).isFalse();
    assertThat(stored.all()).hasSize(StoredTypes.ROWS_MAX);
  }

  @Test
  final void emptyLedgerHasNoTypes() {
    assertThat(admin().storedTypes(NONE).all()).isEmpty();
  }
}
