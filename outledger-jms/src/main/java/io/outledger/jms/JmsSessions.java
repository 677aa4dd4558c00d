// SPDX-License-Identifier: Apache-2.0
package io.outledger.jms;

import io.outledger.Message;
import io.outledger.publish.Outcomes;
import io.outledger.publish.PublisherClient;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Spreads messages over several sessions, so that one may send while another waits for its commit.
 * A key has its session, which keeps its order. When one of them ends, the relay closes them all.
 */
final class JmsSessions implements PublisherClient {

  private final List<JmsClient> sessions;
  private final TimeSource time = TimeSource.system();

  JmsSessions(JmsPublisher publisher, Duration timeMax, Outcomes outcomes) {
    this.sessions =
        IntStream.range(0, publisher.sessionCount())
            .mapToObj(number -> new JmsClient(publisher, timeMax, outcomes))
            .toList();
  }

  @Override
  public void publish(long position, int attempt, Message message) {
    String key = message.key();
    int by = key == null ? Long.hashCode(position) : key.hashCode();
    sessions.get(Math.floorMod(by, sessions.size())).publish(position, message);
  }

  @Override
  public void flush() {
    sessions.forEach(JmsClient::flush);
  }

  @Override
  public Set<Long> recall() {
    return Set.of();
  }

  @Override
  public void close() {
    sessions.forEach(JmsClient::end);
    long until = time.nanoTime() + JmsClient.END_MAX.toNanos();
    sessions.forEach(session -> session.awaitEnd(until));
  }
}
