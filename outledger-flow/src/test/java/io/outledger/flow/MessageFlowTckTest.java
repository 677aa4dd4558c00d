// SPDX-License-Identifier: Apache-2.0
package io.outledger.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.publish.PublisherClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.testng.TestListenerAdapter;
import org.testng.TestNG;

/** The flow passes the verification of publishers of the reactive streams specification. */
@Tag("long")
class MessageFlowTckTest {

  private static final long ELEMENTS_MAX = 20_000;
  private static final long TIMEOUT_MILLIS = 10_000;
  private static final long QUIET_MILLIS = 50;

  @TempDir private Path folder;

  @Test
  void aFlowPassesTheVerificationOfPublishers() {
    TestListenerAdapter results = new TestListenerAdapter();
    TestNG suite = new TestNG(false);
    suite.setTestClasses(new Class<?>[] {Verification.class});
    suite.setOutputDirectory(folder.toString());
    suite.addListener(results);

    suite.run();

    assertThat(results.getFailedTests()).isEmpty();
    assertThat(results.getPassedTests()).hasSizeGreaterThanOrEqualTo(17);
  }

  /** Public, with a constructor without arguments: TestNG makes it. */
  public static final class Verification extends FlowPublisherVerification<FlowMessage> {

    private final ExecutorService executor =
        Executors.newCachedThreadPool(
            work -> {
              Thread thread = new Thread(work, "tck");
              thread.setDaemon(true);
              return thread;
            });

    /** Makes it. */
    public Verification() {
      super(new TestEnvironment(TIMEOUT_MILLIS, QUIET_MILLIS));
    }

    @Override
    public Flow.Publisher<FlowMessage> createFlowPublisher(long elements) {
      MessageFlow flow = new MessageFlow(executor);
      PublisherClient client = flow.open(Duration.ofMinutes(1), (position, outcome) -> {});
      Message message = Message.to("orders", "order.placed").build();
      for (long position = 1; position <= Math.min(elements, ELEMENTS_MAX); position++) {
        client.publish(position, 1, message);
      }
      return subscriber -> subscribe(flow, elements, subscriber);
    }

    @SuppressWarnings("NullAway") // the suite tries null
    private static void subscribe(
        MessageFlow flow, long elements, Flow.Subscriber<? super FlowMessage> subscriber) {
      flow.subscribe(subscriber == null ? null : new Limited(flow, elements, subscriber));
    }

    @Override
    public Flow.Publisher<FlowMessage> createFailedFlowPublisher() {
      MessageFlow flow = new MessageFlow(executor);
      flow.close();
      return flow;
    }

    @Override
    public long maxElementsFromPublisher() {
      return ELEMENTS_MAX;
    }
  }

  /** A flow has no end of its own: this closes it after a number of messages. */
  private static final class Limited implements Flow.Subscriber<FlowMessage> {

    private final MessageFlow flow;
    private final Flow.Subscriber<? super FlowMessage> subscriber;
    private long left;

    Limited(MessageFlow flow, long elements, Flow.Subscriber<? super FlowMessage> subscriber) {
      this.flow = flow;
      this.left = elements;
      this.subscriber = subscriber;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscriber.onSubscribe(subscription);
      closeAtTheEnd();
    }

    @Override
    public void onNext(FlowMessage message) {
      left--;
      subscriber.onNext(message);
      closeAtTheEnd();
    }

    private void closeAtTheEnd() {
      if (left == 0) {
        flow.close();
      }
    }

    @Override
    public void onError(Throwable cause) {
      subscriber.onError(cause);
    }

    @Override
    public void onComplete() {
      subscriber.onComplete();
    }
  }
}
