// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.saga;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.event.EventTypes;
import io.outledger.event.PayloadSerializer;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/** The messages of an order. Each says which order it is of, and no more. */
final class OrderEvents {

  static final String TOPIC = "orders";

  private OrderEvents() {}

  /** What is written as one text. */
  interface Text {
    String text();
  }

  record OrderPlaced(String text) implements Text {}

  record ReserveStock(String text) implements Text {}

  record StockReserved(String text) implements Text {}

  record TakePayment(String text) implements Text {}

  record PaymentTaken(String text) implements Text {}

  record PaymentRefused(String text) implements Text {}

  record PaymentMissing(String text) implements Text {}

  record ShipParcel(String text) implements Text {}

  record ParcelShipped(String text) implements Text {}

  record ParcelRefused(String text) implements Text {}

  record NobodyAtHome(String text) implements Text {}

  record RefundPayment(String text) implements Text {}

  record PaymentRefunded(String text) implements Text {}

  record ReleaseStock(String text) implements Text {}

  record OrderCompleted(String text) implements Text {}

  /** The state of the saga: how far the order has come. */
  record Order(String text) implements Text {}

  private static final Map<Class<?>, Function<String, Object>> READERS =
      Map.ofEntries(
          Map.entry(OrderPlaced.class, OrderPlaced::new),
          Map.entry(ReserveStock.class, ReserveStock::new),
          Map.entry(StockReserved.class, StockReserved::new),
          Map.entry(TakePayment.class, TakePayment::new),
          Map.entry(PaymentTaken.class, PaymentTaken::new),
          Map.entry(PaymentRefused.class, PaymentRefused::new),
          Map.entry(PaymentMissing.class, PaymentMissing::new),
          Map.entry(ShipParcel.class, ShipParcel::new),
          Map.entry(ParcelShipped.class, ParcelShipped::new),
          Map.entry(ParcelRefused.class, ParcelRefused::new),
          Map.entry(NobodyAtHome.class, NobodyAtHome::new),
          Map.entry(RefundPayment.class, RefundPayment::new),
          Map.entry(PaymentRefunded.class, PaymentRefunded::new),
          Map.entry(ReleaseStock.class, ReleaseStock::new),
          Map.entry(OrderCompleted.class, OrderCompleted::new),
          Map.entry(Order.class, Order::new));

  static void register(EventTypes.Builder types) {
    READERS.keySet().stream()
        .filter(each -> each != Order.class)
        .forEach(each -> register(types, each.asSubclass(Text.class)));
  }

  private static <E extends Text> void register(EventTypes.Builder types, Class<E> type) {
    types.register(type, t -> t.name(type.getSimpleName()).topic(TOPIC).key(Text::text));
  }

  /** Writes and reads them. */
  static final PayloadSerializer TEXTS =
      new PayloadSerializer() {

        @Override
        public String contentType() {
          return "text/plain";
        }

        @Override
        public void check(Class<?> type) {}

        @Override
        public byte[] write(Object event) {
          return ((Text) event).text().getBytes(UTF_8);
        }

        @Override
        public <E> E readExactly(byte[] payload, Class<E> type) {
          return read(payload, type, field -> {});
        }

        @Override
        public <E> E read(byte[] payload, Class<E> type, Consumer<String> unknownFields) {
          Function<String, Object> reader = READERS.getOrDefault(type, text -> text);
          return type.cast(reader.apply(new String(payload, UTF_8)));
        }
      };
}
