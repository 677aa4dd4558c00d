// SPDX-License-Identifier: Apache-2.0
package io.outledger.h2;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.event.EventHandlers;
import io.outledger.event.PayloadSerializer;
import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.Received;
import io.outledger.jdbc.EventContext;
import io.outledger.jdbc.Outledger;
import io.outledger.receive.ParkingHandler;
import io.outledger.receive.ReceiverStore;
import io.outledger.servers.CapturedLog;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An instance of a consumer that was built without a handler, as a wrong deployable is. */
class LackingConsumerIT {

  private static final String TOLD = "consumer stock: this instance has no handler for";

  private final TestH2 database = TestH2.create();

  /** An event that both know. */
  record Paid(String id) {}

  /** An event that one of them handles. */
  record Refunded(String id) {}

  @AfterEach
  void close() throws Exception {
    database.close();
  }

  @Test
  void whatOnlyAnotherInstanceHandlesIsToldOnce() throws Exception {
    try (Outledger outledger = outledger()) {
      store(outledger, h -> h.on(Paid.class, (e, c) -> {}).on(Refunded.class, (e, c) -> {}))
          .process(List.of(message("1", "paid")), 10);
      ReceiverStore lacking = store(outledger, h -> h.on(Paid.class, (e, c) -> {}));
      List<String> told =
          CapturedLog.during(
              () -> {
                process(lacking, message("2", "refunded"), message("3", "refunded"));
                process(lacking, message("4", "refunded"), message("5", "paid"));
              });
      assertThat(told)
          .filteredOn(line -> line.contains(TOLD))
          .singleElement()
          .asString()
          .startsWith("WARN")
          .contains("type refunded v1", "Start one");
      assertThat(lacking.due(10)).hasSize(3);
    }
  }

  @Test
  void whatNobodyHandlesIsNotTold() {
    try (Outledger outledger = outledger()) {
      ReceiverStore only = store(outledger, h -> h.on(Paid.class, (e, c) -> {}));
      assertThat(CapturedLog.during(() -> process(only, message("1", "refunded"))))
          .noneMatch(line -> line.contains(TOLD));
    }
  }

  private static void process(ReceiverStore store, Received... messages) {
    try {
      store.process(List.of(messages), 10);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static Received message(String id, String type) {
    return new Received(
        "shop", id, "money", null, type, 1, new byte[0], Map.of(), null, "place", "");
  }

  private static ReceiverStore store(
      Outledger outledger, Consumer<EventHandlers.Builder<EventContext>> handlers) {
    BatchHandler handler = outledger.inbox("stock").handler(handlers);
    return ((ParkingHandler) handler).store();
  }

  private Outledger outledger() {
    return Outledger.builder(database.dataSource())
        .serializer(new Texts())
        .withoutRetention()
        .events(
            events -> {
              events.register(Paid.class, t -> t.name("paid").topic("money").key(Paid::id));
              events.register(
                  Refunded.class, t -> t.name("refunded").topic("money").key(Refunded::id));
            })
        .build();
  }

  /** Payloads do not matter here. */
  private static final class Texts implements PayloadSerializer {

    @Override
    public String contentType() {
      return "text/plain";
    }

    @Override
    public byte[] write(Object event) {
      return event.toString().getBytes(UTF_8);
    }

    @Override
    public void check(Class<?> type) {}

    @Override
    public <E> E readExactly(byte[] payload, Class<E> type) {
      return read(payload, type, name -> {});
    }

    @Override
    public <E> E read(byte[] payload, Class<E> type, Consumer<String> unknown) {
      return type.cast(type == Paid.class ? new Paid("1") : new Refunded("1"));
    }
  }
}
