// SPDX-License-Identifier: Apache-2.0
package io.outledger.parking;

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
 * Decides who is to blame: a message, its topic or the destination; of messages that come in, the
 * destination is what their handlers need.
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
 * topic is to blame. So is its kind, topic and type, where it came in and only others got through
 * each time: the handler of one kind may need what that of another does not. Not thread-safe.
 *
 * @param <M> the messages
 */
public final class Suspects<M extends Tried> {

  /** How often a message fails alone, while others get through, before it is to blame. */
  public static final int FAILURES_MAX = 3;

  /** The one whose last failure is the oldest comes first. */
  private final Map<Object, Suspect<M>> suspects = new LinkedHashMap<>();

  private final boolean isOneLine;

  private Suspects(boolean isOneLine) {
    this.isOneLine = isOneLine;
  }

  /**
   * Makes those of a route: all its messages go over one line, which works where one got through.
   */
  public static <M extends Tried> Suspects<M> ofRoute() {
    return new Suspects<>(true);
  }

  /** Makes those of a consumer, whose handlers may each need something else. */
  public static <M extends Tried> Suspects<M> ofHandlers() {
    return new Suspects<>(false);
  }

  /** What got through after a suspect's last failure. */
  private enum Proof {
    NOTHING,
    OTHER_KIND,
    LIKE_IT
  }

  /**
   * A suspected message.
   *
   * @param met what it met last
   * @param failures how often it has failed; as often as nothing got through in between, once
   * @param likely the same, but of failures after which only others got through none is counted
   */
  private record Suspect<M extends Tried>(
      M message, Outcome met, int failures, int likely, Proof proof) {

    private Suspect<M> failedAgain(Outcome outcome) {
      return new Suspect<>(
          message,
          outcome,
          failures + (isOutlived() ? 1 : 0),
          likely + (proof == Proof.LIKE_IT ? 1 : 0),
          Proof.NOTHING);
    }

    /** Returns the same, whose kind was to blame: others have to get through anew. */
    private Suspect<M> ofKind() {
      return new Suspect<>(message, met, 1, likely, Proof.NOTHING);
    }

    private Suspect<M> outlived(Proof by) {
      return proof.compareTo(by) >= 0 ? this : new Suspect<>(message, met, failures, likely, by);
    }

    private boolean isOutlived() {
      return proof != Proof.NOTHING;
    }

    private boolean isUnanswered() {
      return met instanceof Unavailable away && away.kind() == Unavailable.Kind.UNANSWERED;
    }

    private boolean isOfKind(Tried other) {
      return message.topic().equals(other.topic()) && message.type().equals(other.type());
    }

    private String reason() {
      return met instanceof Unavailable away ? away.reason() : ((Rejected) met).reason();
    }
  }

  /**
   * What is decided of a message.
   *
   * @param <M> the messages
   */
  public record Verdict<M>(M message, Rejected rejected) {}

  /** Returns whether a message is suspected. */
  public boolean contains(M message) {
    return !suspects.isEmpty() && suspects.containsKey(message.place());
  }

  /** Returns how many messages are suspected. */
  public int size() {
    return suspects.size();
  }

  /** Returns whether one of several messages is suspected. */
  public boolean containsAnyOf(Iterable<M> messages) {
    if (!suspects.isEmpty()) {
      for (M message : messages) {
        if (contains(message)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Takes that a message has failed while nothing else was on its way with it.
   *
   * @return how it is rejected, where it or its kind is to blame; null where that is not known
   */
  public @Nullable Rejected failed(M message, Outcome met) {
    Suspect<M> known = suspects.remove(message.place());
    Suspect<M> suspect =
        known == null ? new Suspect<>(message, met, 1, 1, Proof.NOTHING) : known.failedAgain(met);
    if (suspect.likely() >= FAILURES_MAX) {
      return rejected("failed alone %s times, while others got through: %s", suspect, true);
    }
    boolean isOfKind = suspect.failures() >= FAILURES_MAX;
    suspects.put(message.place(), isOfKind ? suspect.ofKind() : suspect);
    return isOfKind
        ? rejected("failed alone %s times, while other types got through: %s", suspect, false)
        : null;
  }

  private static Rejected rejected(String text, Suspect<?> suspect, boolean isItself) {
    return new Rejected(
        text.formatted(FAILURES_MAX, suspect.reason()),
        isItself ? Rejected.Kind.DEFINITE : Rejected.Kind.TOPIC);
  }

  /** Of several that were on their way nothing is known; one alone may be to blame. */
  public @Nullable Verdict<M> unanswered(List<M> returned, Unavailable met) {
    Rejected rejected = returned.size() == 1 ? failed(returned.get(0), met) : null;
    return rejected == null ? null : new Verdict<>(returned.get(0), rejected);
  }

  /** Forgets a message that has an outcome of its own, or is not to be tried now. */
  public void forget(M message) {
    suspects.remove(message.place());
  }

  /** Forgets the message whose last failure is the oldest. */
  public void forgetOldest() {
    Iterator<Object> oldestFirst = suspects.keySet().iterator();
    if (oldestFirst.hasNext()) {
      oldestFirst.next();
      oldestFirst.remove();
    }
  }

  /** Forgets all but those for which a test is true. */
  public void retain(Predicate<? super M> stays) {
    suspects.values().removeIf(suspect -> !stays.test(suspect.message()));
  }

  /** Takes that a message got through, and returns those whose topic is to blame. */
  public List<Verdict<M>> published(M published) {
    if (suspects.isEmpty()) {
      return List.of();
    }
    boolean wasSuspected = suspects.remove(published.place()) != null;
    List<Verdict<M>> decided = new ArrayList<>();
    for (Map.Entry<Object, Suspect<M>> next : suspects.entrySet()) {
      Suspect<M> suspect = next.getValue();
      if (suspect.isUnanswered() && !suspect.message().topic().equals(published.topic())) {
        Rejected rejected = new Rejected(suspect.reason(), Rejected.Kind.TOPIC);
        decided.add(new Verdict<>(suspect.message(), rejected));
      } else {
        next.setValue(suspect.outlived(proof(suspect, published)));
      }
    }
    if (wasSuspected) {
      suspects.values().removeIf(other -> other.isOutlived() && other.failures() == 1);
    }
    return decided;
  }

  /** Says whether a suspect would get through as the other one has, but for its own fault. */
  private Proof proof(Suspect<M> suspect, M published) {
    if (suspect.isOfKind(published)) {
      return Proof.LIKE_IT;
    }
    if (!isOneLine) {
      return Proof.OTHER_KIND;
    }
    return suspect.met() instanceof Unavailable ? Proof.LIKE_IT : Proof.NOTHING;
  }

  /**
   * Returns the message to probe with; null where none waits. Only the first message of each key
   * may be tried. Where a message has just got through, it is the suspect that has failed most
   * often; else one that is not suspected, of another topic if there is one, so that failures and
   * successes alternate; else the suspect that has waited longest.
   *
   * @param waiting what waits, in order
   */
  public @Nullable M next(Iterable<? extends M> waiting) {
    Iterator<? extends M> all = waiting.iterator();
    if (suspects.isEmpty() || !all.hasNext()) {
      return all.hasNext() ? all.next() : null;
    }
    Map<Object, M> firsts = firstsOfKeys(all);
    List<Suspect<M>> oldestFirst =
        suspects.values().stream()
            .filter(suspect -> firsts.containsKey(suspect.message().place()))
            .toList();
    M fresh = firstFresh(firsts);
    if (oldestFirst.isEmpty()) {
      return fresh;
    }
    Suspect<M> last = oldestFirst.get(oldestFirst.size() - 1);
    if (fresh != null && !last.isOutlived()) {
      return fresh;
    }
    Suspect<M> next =
        oldestFirst.stream()
            .filter(Suspect::isOutlived)
            .max(Comparator.comparingInt(Suspect::failures))
            .orElse(oldestFirst.get(0));
    return firsts.get(next.message().place());
  }

  /**
   * Returns whether enough waits to compare with: a message that is not suspected, and of another
   * topic than those that were not answered, since such a topic may be silent as a whole.
   */
  public boolean hasOthers(Iterable<? extends M> waiting) {
    Iterator<? extends M> all = waiting.iterator();
    if (suspects.isEmpty()) {
      return all.hasNext();
    }
    Set<String> silent = topics(Suspect::isUnanswered);
    return firstsOfKeys(all).values().stream()
        .anyMatch(one -> !contains(one) && !silent.contains(one.topic()));
  }

  /** Returns whether all that could be tried is suspected, so that there is no comparison. */
  public boolean isAllOf(Iterable<? extends M> waiting) {
    return !suspects.isEmpty() && firstFresh(firstsOfKeys(waiting.iterator())) == null;
  }

  private Set<String> topics(Predicate<Suspect<M>> which) {
    Set<String> topics = new HashSet<>();
    suspects.values().stream()
        .filter(which)
        .forEach(suspect -> topics.add(suspect.message().topic()));
    return topics;
  }

  private static <M extends Tried> Map<Object, M> firstsOfKeys(Iterator<? extends M> waiting) {
    Map<Object, M> firsts = new LinkedHashMap<>();
    Set<Object> keys = new HashSet<>();
    while (waiting.hasNext()) {
      M next = waiting.next();
      Object key = next.key();
      if (key == null || keys.add(key)) {
        firsts.put(next.place(), next);
      }
    }
    return firsts;
  }

  private @Nullable M firstFresh(Map<Object, M> firsts) {
    Set<String> topics = topics(suspect -> true);
    M first = null;
    for (M delivery : firsts.values()) {
      if (!suspects.containsKey(delivery.place())) {
        if (!topics.contains(delivery.topic())) {
          return delivery;
        }
        first = first == null ? delivery : first;
      }
    }
    return first;
  }
}
