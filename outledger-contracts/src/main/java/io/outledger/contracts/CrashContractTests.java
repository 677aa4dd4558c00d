// SPDX-License-Identifier: Apache-2.0
package io.outledger.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.Message;
import io.outledger.publish.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** That a destination which ends hard while messages are on their way costs none. */
abstract class CrashContractTests extends PublisherContractTests {

  private static final int KEYS = 20;

  /** More than are on their way at a time: some were answered. */
  private static final int HEAD_START = 100;

  private final CountDownLatch underWay = new CountDownLatch(HEAD_START);
  private volatile boolean isBack;

  @Test
  void nothingPublishedIsMissingAfterACrashAndTheRestIsSentAgainInOrder() throws Exception {
    Sender sender = sender();
    FutureTask<List<Message>> sending = new FutureTask<>(() -> sendUntilItIsBack(sender));
    new Thread(sending, "sends while the destination ends").start();
    try {
      assertThat(underWay.await(1, TimeUnit.MINUTES)).as("messages are on their way").isTrue();
      fixture().crash();
    } finally {
      isBack = true;
    }
    List<Message> messages = sending.get(2, TimeUnit.MINUTES);
    sender.close();
    List<Outcome> outcomes = sender.outcomes();
    assertThat(outcomes)
        .hasSameSizeAs(messages)
        .hasOnlyElementsOfTypes(Outcome.Published.class, Outcome.Unavailable.class);
    publishAll(
        IntStream.range(0, messages.size())
            .filter(i -> outcomes.get(i) instanceof Outcome.Unavailable)
            .mapToObj(messages::get)
            .toList());
    assertArrivedInOrder(messages);
  }

  /** Sends what a relay would: nothing more once a message met an outage. */
  private List<Message> sendUntilItIsBack(Sender sender) {
    List<Message> sent = new ArrayList<>();
    Message next = message("key-0");
    while (!isBack && sender.sendNext(next)) {
      sent.add(next);
      next = message("key-" + sent.size() % KEYS);
      underWay.countDown();
    }
    sender.client().flush();
    sender.awaitOutcomes();
    return sent;
  }
}
