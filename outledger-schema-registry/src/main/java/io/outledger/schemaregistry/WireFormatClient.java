// SPDX-License-Identifier: Apache-2.0
package io.outledger.schemaregistry;

import io.outledger.Message;
import io.outledger.publish.Outcome;
import io.outledger.publish.Outcomes;
import io.outledger.publish.PublisherClient;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Hands messages in the wire format to another client, in the order in which they come. After the
 * registry did not answer at once, nothing is handed over any more, and the relay opens the next
 * client: what came later would overtake. For the same reason a topic whose schema was refused
 * takes nothing more until the relay has seen that.
 */
final class WireFormatClient implements PublisherClient {

  private static final Outcome CLOSED = Outcome.unavailable("the relay closed its publisher");

  private final PublisherClient client;
  private final Outcomes outcomes;
  private final WireFormatWriter writer;
  // The relay's thread alone publishes and flushes, so it alone uses the map.
  private final Map<String, Outcome> refusedTopics = new HashMap<>();

  /** The message for which the registry is asked: whoever takes it out reports its outcome. */
  private final AtomicReference<@Nullable Asked> asking = new AtomicReference<>();

  private volatile @Nullable Outcome end;

  private record Asked(long position) {}

  WireFormatClient(PublisherClient client, Outcomes outcomes, WireFormatWriter writer) {
    this.client = client;
    this.outcomes = outcomes;
    this.writer = writer;
  }

  @Override
  public void publish(long position, int attempt, Message message) {
    Asked asked = new Asked(position);
    asking.set(asked);
    Outcome ended = end;
    if (ended == null) {
      ended = refusedTopics.get(message.topic());
    }
    WireFormatWriter.Result result =
        ended == null ? writer.write(message) : new WireFormatWriter.Result.Failed(ended);
    if (!asking.compareAndSet(asked, null)) {
      return; // closed meanwhile, and reported
    }
    if (result instanceof WireFormatWriter.Result.Written written) {
      client.publish(position, attempt, written.message());
      return;
    }
    Outcome outcome = ((WireFormatWriter.Result.Failed) result).outcome();
    if (outcome instanceof Outcome.Unavailable) {
      end = outcome;
    } else if (isOfTopic(outcome)) {
      refusedTopics.put(message.topic(), outcome);
    }
    outcomes.report(position, outcome);
  }

  private static boolean isOfTopic(Outcome outcome) {
    return outcome instanceof Outcome.Rejected rejected
        && rejected.kind() == Outcome.Rejected.Kind.TOPIC;
  }

  @Override
  public void flush() {
    client.flush();
    refusedTopics.clear(); // what was reported is seen before more is handed over
  }

  @Override
  public Set<Long> recall() {
    return client.recall();
  }

  @Override
  public void close() {
    if (end == null) {
      end = CLOSED;
    }
    Asked asked = asking.getAndSet(null);
    if (asked != null) {
      outcomes.report(asked.position(), CLOSED);
    }
    client.close();
  }
}
