// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.relay.Relay;
import io.outledger.relay.RunningRelay;
import io.outledger.relay.listener.RelayEvent;
import io.outledger.relay.options.RelayOptions;
import io.outledger.relay.options.Route;
import io.outledger.servers.Await;
import io.outledger.store.Start;
import io.outledger.testing.InMemoryLedger;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** A message at which AWS fails each time, and says that it is not the sender's fault. */
final class SqsPoisonIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String SEND = "SendMessageBatch";
  private static final String POISON = "poison";

  private final TimeSource time = TimeSource.system();
  private final InMemoryLedger ledger = new InMemoryLedger(time);
  private final List<RelayEvent> events = new CopyOnWriteArrayList<>();
  private final AwsFront front = new AwsFront();
  private final String queue = SharedElasticMq.newFifoName();
  private final String url = SqsQueues.create(queue);
  private final SqsAsyncClient client =
      SharedElasticMq.client(front.port())
          .overrideConfiguration(limits -> limits.retryStrategy(AwsRetryStrategy.doNotRetry()))
          .build();

  @AfterEach
  void close() {
    client.close();
    front.close();
    SqsQueues.delete(url);
  }

  private Message message(String text) {
    return Message.to(queue, "order.placed").key(text).payload(text.getBytes(UTF_8)).build();
  }

  private Relay relay() {
    Relay relay =
        new Relay(
            ledger.relayStore("sqs", Start.EARLIEST),
            List.of(Route.only(SqsPublisher.with(client))),
            RelayOptions.builder().build(),
            events::add,
            new Relay.Surroundings(time, new Random(1)));
    ledger.onCommit(relay.wakeup()::signal);
    return relay;
  }

  private List<RelayEvent.Parked> parked() {
    return events.stream()
        .filter(RelayEvent.Parked.class::isInstance)
        .map(RelayEvent.Parked.class::cast)
        .toList();
  }

  private AwsFront.Answer failAtPoison(String body) throws Exception {
    int at = body.indexOf(POISON);
    if (at < 0) {
      return front.passOn(body);
    }
    String id = "{\"Id\":\"";
    int number = body.charAt(body.lastIndexOf(id, at) + id.length()) - '0';
    return front.passOnWithout(body, number, "InternalError", false);
  }

  @Test
  void faultOfOneEntryEachTimeParksThatMessageAndAllOthersArrive() {
    front.rule(SEND, this::failAtPoison);
    ledger.inNewTransaction(message(POISON));
    ledger.inNewTransaction(
        IntStream.range(0, 30).mapToObj(i -> message("k" + i)).toArray(Message[]::new));
    RunningRelay running = RunningRelay.start(relay(), "sqs", time, Duration.ofSeconds(5));
    try {
      Await.until(
          "it is parked, though two others must come where all have got through",
          PATIENCE,
          () -> {
            ledger.inNewTransaction(message("another"));
            return !parked().isEmpty();
          });
    } finally {
      running.close();
    }
    assertThat(parked()).allMatch(one -> POISON.equals(one.message().key()));
    assertThat(ledger.subscription("sqs").parked()).hasSize(1);
    assertThat(parked().get(0).reason()).contains("InternalError");
  }
}
