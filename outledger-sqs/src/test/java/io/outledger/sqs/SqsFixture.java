// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.Message;
import io.outledger.contracts.Fuzz;
import io.outledger.contracts.PublisherFixture;
import io.outledger.contracts.ReceiverFixture;
import io.outledger.contracts.ReceiverSetup;
import io.outledger.inbox.Received;
import io.outledger.publish.Publisher;
import io.outledger.receive.RunningReceiver;
import io.outledger.servers.Await;
import io.outledger.servers.CapturedLog;
import io.outledger.servers.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** A queue of its own behind a line that can be taken away. */
final class SqsFixture implements PublisherFixture, ReceiverFixture {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int TOO_LARGE_BYTES = 1_100_000;

  private final String queue;
  private final String url;
  private final TcpProxy line = TcpProxy.before(SharedElasticMq.shared().port());
  private final SqsAsyncClient client = SharedElasticMq.client(line.port()).build();
  private final SqsPublisher publisher = SqsPublisher.with(client).source("/shop");
  private final List<Received> arrivals = new ArrayList<>();
  private final SqsReader reader = new SqsReader();

  SqsFixture(String queue) {
    this.queue = queue;
    this.url = SqsQueues.create(queue);
  }

  @Override
  public Publisher publisher() {
    return publisher;
  }

  @Override
  public String topic() {
    return queue;
  }

  @Override
  public List<Received> awaitArrivals(Collection<UUID> ids) {
    List<String> awaited = ids.stream().map(UUID::toString).toList();
    Await.until(
        "messages arrive",
        PATIENCE,
        () -> {
          SqsQueues.take(url)
              .forEach(
                  message ->
                      arrivals.add(
                          reader.read(
                              new SqsReader.Place(queue, message.messageId()), message, null)));
          return arrivals.stream().map(Received::id).toList().containsAll(awaited);
        });
    return List.copyOf(arrivals);
  }

  @Override
  public RunningReceiver start(ReceiverSetup setup) {
    SqsReceiver receiver =
        SqsReceiver.from(client, queue)
            .visibility(Duration.ofSeconds(2))
            .options(setup.options())
            .listener(setup.listener());
    @Nullable Consumer<String> unreadable = setup.unreadable();
    if (unreadable != null) {
      receiver = receiver.unreadable((place, payload, reason) -> unreadable.accept(reason));
    }
    return receiver.start(setup.handler());
  }

  @Override
  public void sendForeign(byte[] payload) {
    SharedElasticMq.shared()
        .direct()
        .sendMessage(
            request -> {
              request.queueUrl(url).messageBody(new String(payload, UTF_8));
              if (new SqsQueue(queue).isFifo()) {
                request.messageGroupId("a").messageDeduplicationId(UUID.randomUUID().toString());
              }
            })
        .join();
  }

  @Override
  public Map<String, Runnable> strangers() {
    return new SqsStrangers(url).named();
  }

  @Override
  public boolean sendFuzz(Fuzz given) {
    return new SqsStrangers(url).send(given);
  }

  @Override
  public void takeAway() {
    line.refuse();
  }

  @Override
  public void loseAnswers() {
    line.swallowReplies();
  }

  @Override
  public void cutAt(String text) {
    line.cutAt(text);
  }

  @Override
  public void bringBack() {
    line.pass();
  }

  /**
   * ElasticMQ keeps its messages in memory, so it is not killed: it falls silent, all connections
   * are cut, and the requests that come next are not answered until it goes on.
   */
  @Override
  public void crash() {
    SharedElasticMq.shared().freeze();
    line.cut();
    Await.until("somebody tries again", PATIENCE, () -> line.connectionCount() > 0);
    line.cut();
    SharedElasticMq.shared().thaw();
  }

  @Override
  public List<String> logOf(Runnable work) {
    return CapturedLog.during(work);
  }

  @Override
  public Message unacceptable(String key) {
    return Message.to(queue, "order.placed").key(key).payload(new byte[TOO_LARGE_BYTES]).build();
  }

  @Override
  public void close() {
    client.close();
    line.close();
    SqsQueues.delete(url);
  }
}
