// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import io.outledger.flow.FlowMessage;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import org.jspecify.annotations.Nullable;

/**
 * The one subscriber of a stream, which hands each message to several of its own. It asks for as
 * many as the slowest of them has room for, so none is lost, and no more than that wait in memory.
 */
final class FanOut implements Flow.Subscriber<FlowMessage> {

  private static final int WINDOW = 16;

  private final SubmissionPublisher<Shared> publisher;
  private final int subscribers;
  private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
  private volatile Flow.@Nullable Subscription stream;

  FanOut(Executor executor, List<? extends Flow.Subscriber<Shared>> all) {
    publisher = new SubmissionPublisher<>(executor, WINDOW);
    all.forEach(publisher::subscribe);
    subscribers = all.size();
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    stream = subscription;
    subscription.request(WINDOW);
  }

  @Override
  public void onNext(FlowMessage message) {
    publisher.submit(new Shared(message, subscribers, this::requestAnother));
  }

  private void requestAnother() {
    Flow.Subscription subscription = stream;
    if (subscription != null) {
      subscription.request(1);
    }
  }

  @Override
  public void onError(Throwable failure) {
    publisher.closeExceptionally(failure);
    end.complete(null);
  }

  @Override
  public void onComplete() {
    publisher.close();
    end.complete(null);
  }

  /** Waits until the stream has ended, and its subscribers were told. */
  void awaitEnd() {
    end.join();
  }
}
