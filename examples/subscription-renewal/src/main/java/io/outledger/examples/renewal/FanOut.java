// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.renewal;

import io.outledger.flow.FlowMessage;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import org.jspecify.annotations.Nullable;

/**
 * The one subscriber of a stream, which hands each message to several of its own. It asks for as
 * many as the slowest of them has room for, so none is lost and none waits in memory.
 */
final class FanOut implements Flow.Processor<FlowMessage, Shared> {

  private static final int WINDOW = 16;

  private final SubmissionPublisher<Shared> subscribers;
  private volatile Flow.@Nullable Subscription stream;

  FanOut(Executor executor) {
    subscribers = new SubmissionPublisher<>(executor, WINDOW);
  }

  @Override
  public void subscribe(Flow.Subscriber<? super Shared> subscriber) {
    subscribers.subscribe(subscriber);
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    stream = subscription;
    subscription.request(WINDOW);
  }

  @Override
  public void onNext(FlowMessage message) {
    subscribers.submit(
        new Shared(message, subscribers.getNumberOfSubscribers(), this::requestAnother));
  }

  private void requestAnother() {
    Flow.Subscription subscription = stream;
    if (subscription != null) {
      subscription.request(1);
    }
  }

  @Override
  public void onError(Throwable failure) {
    subscribers.closeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    subscribers.close();
  }
}
