// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.event.PayloadSerializer;
import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.Received;
import io.outledger.jdbc.Outledger;
import io.outledger.saga.Saga;
import io.outledger.saga.SagaBuilder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** What a saga does all day, beside what a consumer does. */
final class RightsSagas {

  private RightsSagas() {}

  private record Begun(String key) {}

  private record Over(String key) {}

  private static final class Errand implements Saga<String> {
    @Override
    public void define(SagaBuilder<String> saga) {
      saga.name("errand")
          .state(String.class, t -> t.name("errand.state"))
          .startedBy(Begun.class, Begun::key, (event, step) -> step.become("begun"))
          .on(Over.class, Over::key, (event, step) -> step.end());
    }
  }

  static void runs(StoreDatabase database, DataSource consumer) throws Exception {
    RightsStories.receives(database, consumer);
    try (Outledger outledger =
        Outledger.builder(consumer)
            .serializer(new Keys())
            .events(e -> e.register(Begun.class, t -> t.name("begun").topic("t").key(Begun::key)))
            .events(e -> e.register(Over.class, t -> t.name("over").topic("t").key(Over::key)))
            .build()) {
      BatchHandler errands = outledger.sagas().receiver(new Errand());
      for (Object event : List.of(new Begun("k"), new Begun("k"), new Over("k"))) {
        errands.handle(List.of(Received.of("s", outledger.events().message(event))));
      }
    }
    assertThat(database.number("SELECT count(*) FROM outledger_saga")).isZero();
  }

  /** Writes the key of an event, and a state as it is. */
  private static final class Keys implements PayloadSerializer {

    @Override
    public String contentType() {
      return "text/plain";
    }

    @Override
    public byte[] write(Object event) {
      String text =
          event instanceof Begun begun
              ? begun.key()
              : event instanceof Over over ? over.key() : event.toString();
      return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void check(Class<?> type) {}

    @Override
    public <E> E readExactly(byte[] payload, Class<E> type) {
      return read(payload, type);
    }

    @Override
    public <E> E read(byte[] payload, Class<E> type, Consumer<String> unknownFields) {
      String text = new String(payload, StandardCharsets.UTF_8);
      Object read =
          type == Begun.class ? new Begun(text) : type == Over.class ? new Over(text) : text;
      return type.cast(read);
    }
  }
}
