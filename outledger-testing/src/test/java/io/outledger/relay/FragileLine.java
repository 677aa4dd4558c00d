// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay;

import io.outledger.Message;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** A line that some messages end: what was sent behind them is lost with it, and some answers. */
final class FragileLine implements Publisher {

  static final Outcome CUT = Outcome.unavailable("the line was cut");

  /** What has arrived, in order, each time that it did. */
  final List<Message> arrived = new ArrayList<>();

  /** How often each message was tried. */
  final Map<Message, Integer> tries = new HashMap<>();

  /** What a message meets; published where that is null. */
  Function<Message, Outcome> meets = message -> null;

  private final KeyOrder keyOrder;
  private final RandomGenerator random;

  /**
   * Makes a line.
   *
   * @param random decides which answers are lost when the line is cut
   */
  FragileLine(KeyOrder keyOrder, RandomGenerator random) {
    this.keyOrder = keyOrder;
    this.random = random;
  }

  @Override
  public KeyOrder keyOrder() {
    return keyOrder;
  }

  @Override
  public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    return new Client(outcomes);
  }

  private record Sent(long position, Message message) {}

  private final class Client implements PublisherClient {
    private final Outcomes outcomes;
    private final Deque<Sent> sent = new ArrayDeque<>();
    private final Deque<Runnable> answers = new ArrayDeque<>();
    private boolean cut;

    private Client(Outcomes outcomes) {
      this.outcomes = outcomes;
    }

    @Override
    public void publish(long position, int attempt, Message message) {
      sent.add(new Sent(position, message));
    }

    @Override
    public void flush() {
      while (!sent.isEmpty()) {
        take(sent.remove());
      }
      answers.forEach(Runnable::run);
      answers.clear();
    }

    private void take(Sent next) {
      if (cut) {
        outcomes.report(next.position(), CUT);
        return;
      }
      tries.merge(next.message(), 1, Integer::sum);
      Outcome met = meets.apply(next.message());
      if (met == null) {
        arrived.add(next.message());
        answers.add(() -> outcomes.report(next.position(), Outcome.PUBLISHED));
      } else {
        cut = met.equals(CUT);
        if (cut) {
          loseSomeAnswers();
        }
        answers.add(() -> outcomes.report(next.position(), met));
      }
    }

    /** The last ones, as their order is kept: the relay will hear nothing when it closes this. */
    private void loseSomeAnswers() {
      for (int lost = random.nextInt(answers.size() + 1); lost > 0; lost--) {
        answers.removeLast();
      }
    }

    @Override
    public Set<Long> recall() {
      return Set.of();
    }

    @Override
    public void close() {
      cut = true;
    }
  }
}
