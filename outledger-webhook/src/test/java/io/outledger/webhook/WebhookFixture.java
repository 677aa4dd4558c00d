// SPDX-License-Identifier: Apache-2.0
package io.outledger.webhook;

import io.outledger.Message;
import io.outledger.contracts.PublisherFixture;
import io.outledger.inbox.Received;
import io.outledger.publish.Publisher;
import io.outledger.servers.Await;
import io.outledger.servers.CapturedLog;
import io.outledger.servers.TcpProxy;
import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** A receiver of its own behind a line that can be taken away. */
final class WebhookFixture implements PublisherFixture {

  private static final int TOO_LARGE_BYTES = 700_000;

  private final Receiving receiving = new Receiving();
  private final TcpProxy line = TcpProxy.before(receiving.port());
  private final WebhookPublisher publisher;

  WebhookFixture(UnaryOperator<WebhookEndpoint> options) {
    WebhookEndpoint endpoint =
        WebhookEndpoint.inOwnNetwork(URI.create("http://127.0.0.1:" + line.port() + "/hook"))
            .signedWith(Receiving.SECRET);
    publisher = WebhookPublisher.to(options.apply(endpoint)).source(Receiving.SOURCE);
  }

  @Override
  public Publisher publisher() {
    return publisher;
  }

  @Override
  public String topic() {
    return "orders";
  }

  @Override
  public List<Received> awaitArrivals(Collection<UUID> ids) {
    List<String> awaited = ids.stream().map(UUID::toString).toList();
    Await.until(
        "messages arrive",
        Duration.ofSeconds(30),
        () -> receiving.arrivals().stream().map(Received::id).toList().containsAll(awaited));
    return receiving.arrivals();
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
   * The endpoint lives in this process and keeps what it gets in memory, so it is not killed: all
   * connections to it break.
   */
  @Override
  public void crash() {
    line.cut();
  }

  @Override
  public List<String> logOf(Runnable work) {
    return CapturedLog.during(work);
  }

  /** Within the endpoint's limit here, but not there: it is the receiver that says no. */
  @Override
  public Message unacceptable(String key) {
    return Message.to(topic(), "order.placed").key(key).payload(new byte[TOO_LARGE_BYTES]).build();
  }

  @Override
  public void close() {
    line.close();
    receiving.close();
  }
}
