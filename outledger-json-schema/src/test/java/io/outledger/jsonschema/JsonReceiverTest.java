// SPDX-License-Identifier: Apache-2.0
package io.outledger.jsonschema;

import static io.outledger.servers.ScriptedRegistry.says;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.event.Events;
import io.outledger.inbox.Received;
import io.outledger.jsonschema.JsonWireFormatTest.Placed;
import io.outledger.receive.Arrival;
import io.outledger.receive.Batch;
import io.outledger.receive.Receiver;
import io.outledger.receive.ReceiverContext;
import io.outledger.receive.ReceiverOptions;
import io.outledger.receive.Source;
import io.outledger.relay.options.Backoff;
import io.outledger.schemaregistry.SchemaRegistry;
import io.outledger.servers.ScriptedRegistry;
import io.outledger.testing.InMemoryReceiverStore;
import io.outledger.testing.ParkedReceivedRow;
import io.outledger.time.TimeSource;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A receiver parks a message of an id that the registry does not know, and goes on. */
@Timeout(60)
final class JsonReceiverTest {

  private static final Backoff AT_ONCE = new Backoff(Duration.ofNanos(1), Duration.ofNanos(1));
  private static final ReceiverOptions OPTIONS =
      ReceiverOptions.DEFAULT
          .withRetry(ReceiverOptions.DEFAULT.retry().withBackoff(AT_ONCE))
          .withBackoff(AT_ONCE);

  private final ScriptedRegistry peer = new ScriptedRegistry();
  private final Events events =
      JsonWireFormatTest.events(
          JsonWireFormatTest.with().readFrom(SchemaRegistry.at(peer.uri())).build());
  private final List<Object> handled = new ArrayList<>();
  private final InMemoryReceiverStore store =
      new InMemoryReceiverStore(
          "stock", TimeSource.system(), (message, attempt) -> handled.add(events.read(message)));
  private final Receiver<Integer> receiver =
      new Receiver<>(
          store.handler(),
          new ReceiverContext(
              "test", OPTIONS, event -> {}, TimeSource.system(), new SplittableRandom(1)));

  @AfterEach
  void close() {
    peer.close();
  }

  private static Arrival<Integer> order(int place, int schema) {
    byte[] json = ("{\"id\":\"o-" + place + "\",\"cents\":1}").getBytes(UTF_8);
    byte[] payload =
        ByteBuffer.allocate(5 + json.length).put((byte) 0).putInt(schema).put(json).array();
    String id = String.valueOf(place);
    return new Arrival<>(
        place,
        1,
        new Received("shop", id, "orders", id, "order.placed", 2, payload, Map.of(), null, "", ""),
        null);
  }

  @Test
  void aMessageOfAnUnknownIdIsParkedAndTheOthersGoOn() {
    peer.answer(
        exchange ->
            (exchange.getRequestURI().getPath().endsWith("/7")
                    ? says(200, "{\"schema\":\"{}\",\"schemaType\":\"JSON\"}")
                    : says(404, "{\"error_code\":40403,\"message\":\"Schema not found\"}"))
                .to(exchange));
    Stream stream = new Stream(List.of(order(1, 8), order(2, 7)));
    receiver.step(stream);
    assertThat(stream.acknowledged).isEqualTo(2); // both are parked while their ids are asked for
    assertThat(store.parked())
        .allSatisfy(row -> assertThat(row.reason()).contains("OUT-038"))
        .allMatch(row -> row.attempts() == 0)
        .hasSize(2);

    while (handled.isEmpty() || !String.valueOf(parked().reason()).contains("OUT-015")) {
      receiver.retries().orElseThrow().step();
    }
    assertThat(handled).containsExactly(new Placed("o-2", 1));
    assertThat(store.parked()).hasSize(1);
    assertThat(parked().message().id()).isEqualTo("1");
    assertThat(parked().reason()).contains("the id 8", "Schema not found");
  }

  private ParkedReceivedRow parked() {
    return store.parked().get(0);
  }

  /** One batch in memory. */
  private static final class Stream implements Source<Integer> {

    private final List<Arrival<Integer>> arrivals;
    private int acknowledged;

    Stream(List<Arrival<Integer>> arrivals) {
      this.arrivals = arrivals;
    }

    @Override
    public List<Batch<Integer>> receive() {
      return List.of(new Batch<>("stream", arrivals));
    }

    @Override
    public void acknowledge(List<Arrival<Integer>> done) {
      acknowledged += done.size();
    }

    @Override
    public void giveBack(Batch<Integer> rest, Duration delay, boolean wantsMore) {}

    @Override
    public void setAside(Arrival<Integer> unreadable) {
      throw new IllegalStateException("all are messages");
    }

    @Override
    public void commit() {}

    @Override
    public boolean isStopping() {
      return false;
    }
  }
}
