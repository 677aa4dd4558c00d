// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit;

import io.outledger.Message;
import io.outledger.Require;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.assertj.core.api.AbstractAssert;

/**
 * What assertions on appended and on published events share. Not thread-safe.
 *
 * @param <S> the assertion's own type
 * @param <A> what is asserted on
 */
public abstract sealed class EventsAssert<S extends EventsAssert<S, A>, A>
    extends AbstractAssert<S, A> permits OutboxAssert, PublisherAssert {

  private final String verb;
  private final List<Occurrence> all;
  private final List<List<Occurrence>> named = new ArrayList<>();

  EventsAssert(A actual, Class<S> self, String verb, List<Occurrence> all) {
    super(actual, self);
    this.verb = verb;
    this.all = all;
  }

  /**
   * Requires of the event named last that one that satisfied everything so far has this key.
   *
   * @throws AssertionError where none has
   */
  public S withKey(String key) {
    Require.nonNull("key", key);
    return narrow("with key " + key, occurrence -> occurrence.hasKey(key));
  }

  /**
   * Requires of the event named last that one that satisfied everything so far goes to this topic.
   *
   * @throws AssertionError where none does
   */
  public S toTopic(String topic) {
    Require.nonNull("topic", topic);
    return narrow("to topic " + topic, messageWith(message -> message.topic().equals(topic)));
  }

  /**
   * Requires of the event named last that one that satisfied everything so far has this header.
   *
   * @throws AssertionError where none has
   */
  public S withHeader(String name, String value) {
    Require.nonNull("name", name);
    Require.nonNull("withHeader", value);
    return narrow(
        "with header " + name + ": " + value,
        messageWith(message -> value.equals(message.headers().get(name))));
  }

  /** Requires an event of a class that satisfies something, and makes it the one named last. */
  <E> S named(Class<E> type, Consumer<? super E> requirements) {
    List<Occurrence> candidates = of(Require.nonNull("type", type));
    if (candidates.isEmpty()) {
      throw failure("Expected a %s to be %s.%s", type.getSimpleName(), verb, listing());
    }
    List<Occurrence> satisfying = new ArrayList<>();
    StringBuilder reasons = new StringBuilder();
    for (Occurrence candidate : candidates) {
      try {
        requirements.accept(type.cast(candidate.event()));
        satisfying.add(candidate);
      } catch (AssertionError e) {
        reasons.append("\n  ").append(candidate).append(": ").append(text(e));
      }
    }
    if (satisfying.isEmpty()) {
      throw failure(
          "Expected a %s that satisfies the requirements to be %s. None does:%s",
          type.getSimpleName(), verb, reasons);
    }
    named.add(satisfying);
    return myself;
  }

  void none(Class<?> type) {
    if (!of(Require.nonNull("type", type)).isEmpty()) {
      throw failure("Expected no %s to be %s.%s", type.getSimpleName(), verb, listing());
    }
  }

  void exactly(List<Class<?>> types) {
    List<Class<?>> found =
        all.stream().<Class<?>>map(occurrence -> occurrence.event().getClass()).toList();
    if (!found.equals(types)) {
      throw failure(
          "Expected exactly %s to be %s, in this order.%s", names(types), verb, listing());
    }
  }

  /** Requires that of the events named, those of one key came in the order of their naming. */
  void namedInOrderOfKeys() {
    OrderedChoice choice = OrderedChoice.of(named);
    if (!choice.isFound()) {
      List<Occurrence> longest = choice.longest();
      throw failure(
          "Expected the events named to be %s in this order within their keys: %s, and then one of"
              + " %s.%s%s",
          verb, longest, named.get(longest.size()), choice.remark(), listing());
    }
  }

  private S narrow(String requirement, Predicate<Occurrence> condition) {
    if (named.isEmpty()) {
      throw new IllegalStateException("name an event first, then say what is required of it");
    }
    List<Occurrence> last = named.get(named.size() - 1);
    List<Occurrence> left = last.stream().filter(condition).toList();
    if (left.isEmpty()) {
      throw failure("Expected one of these to be %s %s: %s", verb, requirement, last);
    }
    named.set(named.size() - 1, left);
    return myself;
  }

  private List<Occurrence> of(Class<?> type) {
    return all.stream().filter(occurrence -> type.isInstance(occurrence.event())).toList();
  }

  private static Predicate<Occurrence> messageWith(Predicate<Message> condition) {
    return occurrence -> occurrence.messages().stream().anyMatch(condition);
  }

  private String listing() {
    return all.isEmpty()
        ? " Nothing was."
        : " These were:" + all.stream().map(each -> "\n  " + each).collect(Collectors.joining());
  }

  private static String names(List<Class<?>> types) {
    return types.stream().map(Class::getSimpleName).toList().toString();
  }

  private static String text(AssertionError error) {
    return String.valueOf(error.getMessage()).strip().replaceAll("\\s+", " ");
  }
}
