// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import io.outledger.log.QuietLog;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.event.Level;

/**
 * Which topics of Kafka can be written, so that a message for another one does not fail the task. A
 * topic that is there is asked for again after a minute. Used by one thread.
 *
 * <p>Who is to blame is decided from all answers to a question, and the topic of heartbeats is in
 * each: where Kafka refuses to tell of a message's topic but tells of that one, the message is to
 * blame. With ACLs, Kafka refuses to tell of a topic that does not exist, too. If nothing is
 * answered it is an outage: it is told, and Kafka is asked again after a while. Until then, topics
 * that were ever there count as there. A topic that gets no answer three times, while others do, is
 * to blame itself.
 *
 * <p>A broker that has not heard of a new topic or right yet answers that there is none. So a topic
 * is missing only if two answers say so, a second apart or more; until then nobody knows of it. The
 * topic of heartbeats needs one answer: nothing is sent before the right to it is there.
 */
final class KnownTopics implements AutoCloseable {

  private static final Duration KNOWN_FOR = Duration.ofMinutes(1);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration MISSING_AFTER = Duration.ofSeconds(1);
  private static final int DOUBLINGS_MAX = 4;
  private static final int SILENCES_MAX = 3;

  private final TopicLookup lookup;
  private final String heartbeats;
  private final Duration patience;
  private final TimeSource time;
  private final QuietLog log;
  private final Map<String, Long> seenAt = new HashMap<>();
  private final Map<String, Integer> silences = new HashMap<>();
  private final Map<String, Missing> missing = new HashMap<>();
  private int outages;
  private long outageTo;

  /** When Kafka said first, and last, that a topic is not there. */
  private record Missing(long first, long last) {

    Missing and(Missing next) {
      return new Missing(first, next.last);
    }

    boolean isCertain() {
      return last - first >= MISSING_AFTER.toNanos();
    }
  }

  /**
   * What is known of topics.
   *
   * @param refused those that cannot be written, each with the reason
   * @param untold those of messages that nobody knows of yet
   * @param withholdsHeartbeats whether nobody knows of the topic of heartbeats yet
   */
  record Answer(Map<String, String> refused, Set<String> untold, boolean withholdsHeartbeats) {

    /** Nothing is wrong. */
    static final Answer NOTHING = new Answer(Map.of(), Set.of(), false);
  }

  /**
   * Creates it, without I/O.
   *
   * @param heartbeats the topic of heartbeats
   * @param patience how long a lookup may take
   * @param log hears of outages
   */
  KnownTopics(
      TopicLookup lookup, String heartbeats, Duration patience, TimeSource time, QuietLog log) {
    this.lookup = lookup;
    this.heartbeats = heartbeats;
    this.patience = patience;
    this.time = time;
    this.log = log;
  }

  /**
   * Returns what is known of topics, and asks Kafka where that is necessary and may be answered.
   *
   * @param topics those of messages, which may have the topic of heartbeats among them
   * @param withHeartbeats whether a heartbeat is to be sent, too; while nobody knows of its topic,
   *     it is withheld, which costs nothing
   * @throws ConnectException if Kafka refuses the client, or refuses it the topic of heartbeats:
   *     that is no message's fault
   * @throws InterruptedException if the thread was interrupted while it waited for Kafka
   */
  Answer look(Set<String> topics, boolean withHeartbeats) throws InterruptedException {
    long now = time.nanoTime();
    Set<String> asked = new HashSet<>(topics);
    if (withHeartbeats) {
      asked.add(heartbeats);
    }
    asked.removeIf(topic -> isKnown(topic, now));
    if (asked.isEmpty()) {
      return Answer.NOTHING;
    }
    Map<String, String> refused = new HashMap<>();
    Set<String> untold = asked;
    if (outages == 0 || now - outageTo >= 0) {
      asked.add(heartbeats);
      untold = ask(asked, now, refused);
    }
    return answer(topics, refused, untold);
  }

  /** Asks; returns what was not answered, and adds what is refused. */
  private Set<String> ask(Set<String> asked, long now, Map<String, String> refused)
      throws InterruptedException {
    Map<String, Throwable> silent = new TreeMap<>();
    Set<String> forbidden = new TreeSet<>();
    Set<String> uncertain = new HashSet<>();
    missing.values().removeIf(each -> now - each.last() >= KNOWN_FOR.toNanos());
    for (Map.Entry<String, Optional<Throwable>> answer : lookup.ask(asked, patience).entrySet()) {
      String topic = answer.getKey();
      Throwable failure = answer.getValue().orElse(null);
      if (failure == null) {
        seenAt.put(topic, now);
        missing.remove(topic);
      } else if (failure instanceof UnknownTopicOrPartitionException) {
        if (noteMissing(topic, now)) {
          refused.put(topic, "the topic " + topic + " does not exist");
        } else {
          uncertain.add(topic);
        }
      } else if (failure instanceof TopicAuthorizationException) {
        forbidden.add(topic);
      } else if (failure instanceof AuthorizationException
          || failure instanceof AuthenticationException) {
        throw new ConnectException(
            "Kafka refuses the client of the settings kafka.*, which looks topics up: " + failure,
            failure);
      } else {
        silent.put(topic, failure);
      }
    }
    if (forbidden.contains(heartbeats)) {
      throw new ConnectException(noRight(forbidden));
    }
    for (String topic : forbidden) {
      if (noteMissing(topic, now)) {
        refused.put(topic, forbidden(topic));
      } else {
        uncertain.add(topic);
      }
    }
    silences.keySet().removeIf(topic -> asked.contains(topic) && !silent.containsKey(topic));
    note(silent, silent.size() < asked.size());
    uncertain.addAll(silent.keySet());
    return uncertain;
  }

  /** Notes that a topic is not there, and returns whether that is certain. */
  private boolean noteMissing(String topic, long now) {
    seenAt.remove(topic);
    return missing.merge(topic, new Missing(now, now), Missing::and).isCertain();
  }

  private static String forbidden(String topic) {
    return "the topic "
        + topic
        + " does not exist, or the client of the settings kafka.* has no right to describe it:"
        + " Kafka does not tell which";
  }

  private String noRight(Set<String> forbidden) {
    return "the client of the settings kafka.* has no right to describe "
        + (forbidden.size() == 1 ? "the topic " : "any of the topics ")
        + String.join(", ", forbidden)
        + ": allow DESCRIBE on the topic of heartbeats, "
        + heartbeats
        + ", and on those of the messages, and WRITE to the connector's producer";
  }

  private void note(Map<String, Throwable> silent, boolean othersAnswered) {
    if (silent.isEmpty()) {
      outages = 0;
      log.over("lookup");
      return;
    }
    if (othersAnswered) {
      silent.keySet().forEach(topic -> silences.merge(topic, 1, Integer::sum));
    }
    Map.Entry<String, Throwable> first = silent.entrySet().iterator().next();
    outageTo = time.nanoTime() + FIRST_PAUSE.multipliedBy(1L << outages).toNanos();
    outages = Math.min(outages + 1, DOUBLINGS_MAX);
    log.fails(
        Level.WARN,
        "lookup",
        () ->
            "Kafka does not answer whether the topic "
                + first.getKey()
                + " exists, which the client of the settings kafka.* asks; trying again. Until it"
                + " does, a message for a topic that was never looked up waits, and so does all"
                + " that is read after it",
        first.getValue());
  }

  private Answer answer(Set<String> topics, Map<String, String> refused, Set<String> untold) {
    Set<String> waiting = new HashSet<>();
    for (String topic : untold) {
      if (silences.getOrDefault(topic, 0) >= SILENCES_MAX) {
        refused.put(topic, "Kafka does not answer for the topic " + topic + " but for others");
      } else if (!seenAt.containsKey(topic)) {
        waiting.add(topic);
      }
    }
    boolean withholds = !topics.contains(heartbeats) && waiting.remove(heartbeats);
    return new Answer(refused, waiting, withholds);
  }

  private boolean isKnown(String topic, long now) {
    Long seen = seenAt.get(topic);
    return seen != null && now - seen < KNOWN_FOR.toNanos();
  }

  @Override
  public void close() {
    lookup.close();
  }
}
