// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.inbox.Received;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Publisher;
import io.outledger.testing.RecordingPublisher;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A destination in memory, which rejects one type. */
final class RecordingFixture implements PublisherFixture {

  private static final String UNACCEPTABLE = "unacceptable";

  private final RecordingPublisher publisher;
  private final Runnable end;
  private final Semaphore news = new Semaphore(0);

  RecordingFixture(KeyOrder keyOrder, Executor reporting, Runnable end) {
    this.publisher =
        new RecordingPublisher(keyOrder, report -> reporting.execute(() -> tell(report)));
    this.end = end;
    publisher.rejectWhen(
        message -> message.type().equals(UNACCEPTABLE),
        new Outcome.Rejected("of a type that is rejected", Outcome.Rejected.Kind.DEFINITE));
  }

  private void tell(Runnable report) {
    report.run();
    news.release();
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
    try {
      while (!arrivedIds().containsAll(ids)) {
        assertThat(news.tryAcquire(30, TimeUnit.SECONDS)).as("more arrives").isTrue();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for arrivals", e);
    }
    return publisher.messages().stream().map(message -> Received.of("memory", message)).toList();
  }

  private Set<UUID> arrivedIds() {
    return publisher.messages().stream().map(Message::id).collect(Collectors.toSet());
  }

  @Override
  public void takeAway() {
    publisher.goDownAndRefuseClients();
  }

  @Override
  public void loseAnswers() {
    publisher.holdOutcomes();
  }

  @Override
  public void cutAt(String text) {
    publisher.failWhen(message -> text.equals(message.key()));
  }

  @Override
  public void bringBack() {
    publisher.comeBack();
    publisher.releaseOutcomes();
  }

  /** There is nothing to end but the test itself: it is away for a moment. */
  @Override
  public void crash() {
    publisher.goDownAndRefuseClients();
    publisher.comeBack();
  }

  /** Nothing here has a log. */
  @Override
  public List<String> logOf(Runnable work) {
    work.run();
    return List.of();
  }

  /** Nobody hears of an outcome that is held back, and no time passes here. */
  @Override
  public LateAnswer lateAnswer() {
    return LateAnswer.AWAITED;
  }

  @Override
  public Message unacceptable(String key) {
    return Message.to(topic(), UNACCEPTABLE).key(key).build();
  }

  @Override
  public void close() {
    end.run();
    assertThat(publisher.openClients()).isZero();
  }
}
