// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.route;

import io.outledger.publish.Outcome;
import io.outledger.publish.Outcome.Rejected;
import io.outledger.publish.Outcome.Unavailable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides who is to blame: a message, its topic or the destination.
 *
 * <p>While nothing gets through, the first messages of the keys probe one after the other, each
 * alone, and each that fails is suspected. A message is to blame once it has failed {@value
 * #FAILURES_MAX} times, and another key's message got through each time before it was tried again.
 * One success is no proof, since it may be the moment at which the destination came back; and where
 * nothing gets through, or nothing else waits, there is none either: then the destination is taken
 * to be away, which everyone can see, and no attempt is counted. Where a suspect gets through
 * itself, the destination was away, and those that failed only meanwhile are suspected no longer.
 *
 * <p>Where a suspect was not answered in time, and a message of another topic gets through, its
 * topic is to blame. Not thread-safe.
 */
final class Suspects {

  /** How often a message fails alone, while others get through, before it is to blame. */
  static final int FAILURES_MAX = 3;

  /** The one whose last failure is the oldest comes first. */
  private final Map<Place, Suspect> suspects = new LinkedHashMap<>();

  /**
   * A suspected message.
   *
   * @param met what it met last
   * @param failures how often it has failed; as often as nothing got through in between, once
   * @param isOutlived whether a message got through after its last failure
   */
  private record Suspect(Delivery delivery, Outcome met, int failures, boolean isOutlived) {

    private Suspect failedAgain(Outcome outcome) {
      return new Suspect(delivery, outcome, failures + (isOutlived ? 1 : 0), false);
    }

    private Suspect outlived() {
      return new Suspect(delivery, met, failures, true);
    }

    private boolean isUnanswered() {
      return met instanceof Unavailable away && away.kind() == Unavailable.Kind.UNANSWERED;
    }

    /** Returns whether it would get through as the other one has, but for its own fault. */
    private boolean isLike(Delivery other) {
      return met instanceof Unavailable
          || Breakers.Destination.of(delivery).equals(Breakers.Destination.of(other));
    }

    private String reason() {
      return met instanceof Unavailable away ? away.reason() : ((Rejected) met).reason();
    }
  }

  /** What is decided of a message. */
  record Verdict(Delivery delivery, Rejected rejected) {}

  boolean contains(Delivery delivery) {
    return !suspects.isEmpty() && suspects.containsKey(delivery.place());
  }

  boolean containsAnyOf(Iterable<Delivery> deliveries) {
    if (!suspects.isEmpty()) {
      for (Delivery delivery : deliveries) {
        if (contains(delivery)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Takes that a message has failed while nothing else was on its way with it.
   *
   * @return how it is rejected, where it is to blame; null where that is not known
   */
  @Nullable Rejected failed(Delivery delivery, Outcome met) {
    Suspect known = suspects.remove(delivery.place());
    Suspect suspect = known == null ? new Suspect(delivery, met, 1, false) : known.failedAgain(met);
    if (suspect.failures() < FAILURES_MAX) {
      suspects.put(delivery.place(), suspect);
      return null;
    }
    return new Rejected(
        "failed alone %s times, while others got through: %s"
            .formatted(FAILURES_MAX, suspect.reason()),
        Rejected.Kind.DEFINITE);
  }

  /** Of several that were on their way nothing is known; one alone may be to blame. */
  @Nullable Verdict unanswered(List<Delivery> returned, Unavailable met) {
    Rejected rejected = returned.size() == 1 ? failed(returned.get(0), met) : null;
    return rejected == null ? null : new Verdict(returned.get(0), rejected);
  }

  /** Forgets a message that has an outcome of its own, or is not to be tried now. */
  void forget(Delivery delivery) {
    suspects.remove(delivery.place());
  }

  /** Forgets all but those for which a test is true. */
  void retain(Predicate<Delivery> stays) {
    suspects.values().removeIf(suspect -> !stays.test(suspect.delivery()));
  }

  /** Takes that a message got through, and returns those whose topic is to blame. */
  List<Verdict> published(Delivery published) {
    if (suspects.isEmpty()) {
      return List.of();
    }
    boolean wasSuspected = suspects.remove(published.place()) != null;
    List<Verdict> decided = new ArrayList<>();
    String topic = published.message().topic();
    for (Map.Entry<Place, Suspect> next : suspects.entrySet()) {
      Suspect suspect = next.getValue();
      if (suspect.isUnanswered() && !suspect.delivery().message().topic().equals(topic)) {
        Rejected rejected = new Rejected(suspect.reason(), Rejected.Kind.TOPIC);
        decided.add(new Verdict(suspect.delivery(), rejected));
      } else if (suspect.isLike(published)) {
        next.setValue(suspect.outlived());
      }
    }
    if (wasSuspected) {
      suspects.values().removeIf(other -> other.isOutlived() && other.failures() == 1);
    }
    return decided;
  }

  /**
   * Returns the message to probe with; null where none waits. Only the first message of each key
   * may be tried. Where a message has just got through, it is the suspect that has failed most
   * often; else one that is not suspected, of another topic if there is one, so that failures and
   * successes alternate; else the suspect that has waited longest.
   *
   * @param waiting what waits, in order
   */
  @Nullable Delivery next(Iterable<Delivery> waiting) {
    Iterator<Delivery> all = waiting.iterator();
    if (suspects.isEmpty() || !all.hasNext()) {
      return all.hasNext() ? all.next() : null;
    }
    Map<Place, Delivery> firsts = firstsOfKeys(all);
    List<Suspect> oldestFirst =
        suspects.values().stream()
            .filter(suspect -> firsts.containsKey(suspect.delivery().place()))
            .toList();
    Delivery fresh = firstFresh(firsts);
    if (oldestFirst.isEmpty()) {
      return fresh;
    }
    Suspect last = oldestFirst.get(oldestFirst.size() - 1);
    if (fresh != null && !last.isOutlived()) {
      return fresh;
    }
    Suspect next =
        oldestFirst.stream()
            .filter(Suspect::isOutlived)
            .max(Comparator.comparingInt(Suspect::failures))
            .orElse(oldestFirst.get(0));
    return firsts.get(next.delivery().place());
  }

  /**
   * Returns whether enough waits to compare with: a message that is not suspected, and of another
   * topic than those that were not answered, since such a topic may be silent as a whole.
   */
  boolean hasOthers(Iterable<Delivery> waiting) {
    Iterator<Delivery> all = waiting.iterator();
    if (suspects.isEmpty()) {
      return all.hasNext();
    }
    Set<String> silent = topics(Suspect::isUnanswered);
    return firstsOfKeys(all).values().stream()
        .anyMatch(one -> !contains(one) && !silent.contains(one.message().topic()));
  }

  /** Returns whether all that could be tried is suspected, so that there is no comparison. */
  boolean isAllOf(Iterable<Delivery> waiting) {
    return !suspects.isEmpty() && firstFresh(firstsOfKeys(waiting.iterator())) == null;
  }

  private Set<String> topics(Predicate<Suspect> which) {
    Set<String> topics = new HashSet<>();
    suspects.values().stream()
        .filter(which)
        .forEach(suspect -> topics.add(suspect.delivery().message().topic()));
    return topics;
  }

  private static Map<Place, Delivery> firstsOfKeys(Iterator<Delivery> waiting) {
    Map<Place, Delivery> firsts = new LinkedHashMap<>();
    Set<String> keys = new HashSet<>();
    while (waiting.hasNext()) {
      Delivery next = waiting.next();
      if (next.key() == null || keys.add(next.key())) {
        firsts.put(next.place(), next);
      }
    }
    return firsts;
  }

  private @Nullable Delivery firstFresh(Map<Place, Delivery> firsts) {
    Set<String> topics = topics(suspect -> true);
    Delivery first = null;
    for (Delivery delivery : firsts.values()) {
      if (!suspects.containsKey(delivery.place())) {
        if (!topics.contains(delivery.message().topic())) {
          return delivery;
        }
        first = first == null ? delivery : first;
      }
    }
    return first;
  }
}
