// SPDX-License-Identifier: Apache-2.0
package io.outledger.relay.options;

import static java.util.stream.Collectors.joining;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Message;
import io.outledger.Name;
import io.outledger.Printable;
import io.outledger.Require;
import io.outledger.store.Declaration;
import io.outledger.store.Declaration.Takes;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Which messages a route takes, in a form that an instance can declare: while several versions of
 * an application run, one that does not have a route, or a narrower one, keeps the route's messages
 * for one that has. Immutable.
 */
public final class Accepts implements Predicate<Message> {

  /** What each database takes as part of a key. */
  private static final int NAME_CHARS_MAX = 250;

  private static final Pattern VERSIONED = Pattern.compile(".+ v[0-9]+", Pattern.DOTALL);

  private static final Accepts EVERYTHING =
      new Accepts(Takes.EVERYTHING, Set.of(""), message -> true, false);

  private final Takes takes;
  private final Set<String> what;
  private final Predicate<Message> test;
  private final boolean seesResult;

  private Accepts(Takes takes, Set<String> what, Predicate<Message> test, boolean seesResult) {
    this.takes = takes;
    this.what = what;
    this.test = test;
    this.seesResult = seesResult;
  }

  /** Takes every message. */
  public static Accepts everything() {
    return EVERYTHING;
  }

  /**
   * Takes the messages of topics.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if there is none, or one is null
   */
  public static Accepts topics(String... topics) {
    Require.nonNull("topics", topics);
    for (String topic : topics) {
      Require.nonNull("topic", topic);
    }
    Set<String> all = named("topics", List.of(topics));
    return new Accepts(Takes.TOPIC, all, message -> all.contains(message.topic()), false);
  }

  /**
   * Takes the messages of a type, of one version.
   *
   * @param type the type's name
   * @param version its version
   */
  public static Accepts type(String type, int version) {
    return types(Set.of(Declaration.type(type, version)));
  }

  /**
   * Takes the messages of types.
   *
   * @param types each as {@link Declaration#type} writes it, with its version
   * @throws io.outledger.ConfigurationException {@code OUT-021} if there is none, one is null, or
   *     one has no version
   */
  public static Accepts types(Set<String> types) {
    Set<String> all = named("types", List.copyOf(Require.nonNull("types", types)));
    for (String each : all) {
      if (!VERSIONED.matcher(each).matches()) {
        throw new ConfigurationException(
            ErrorCode.INVALID_CONFIGURATION,
            "types has \"%s\", which names no version, so that no message would be taken: write "
                    .formatted(Printable.text(each))
                + "each as Declaration.type(name, version) does, such as \"order.placed v1\"");
      }
    }
    return new Accepts(
        Takes.TYPE,
        all,
        message -> all.contains(Declaration.type(message.type(), message.version())),
        false);
  }

  /**
   * Takes the messages that a function accepts. Other instances cannot know which those are, so the
   * rule has a name: <strong>when you change the function, change the name</strong>. While an
   * instance with the new rule was started and the owner has only the old one, the owner parks the
   * route's messages that its own rule does not accept, for an instance with the new rule.
   *
   * @param name the rule's name, such as {@code large orders 2}
   * @param test sees each message as it stands in the ledger, before any transform
   * @throws io.outledger.ConfigurationException {@code OUT-006} if the name is not valid, {@code
   *     OUT-021} if the function is null
   */
  public static Accepts rule(String name, Predicate<Message> test) {
    return new Accepts(
        Takes.RULE, Set.of(Name.check("rule", name)), Require.nonNull("test", test), false);
  }

  /** Returns the same declaration with another test, which may take more. */
  public Accepts testedBy(Predicate<Message> other) {
    return new Accepts(takes, what, Require.nonNull("other", other), seesResult);
  }

  /**
   * Returns the same of what the transforms make of a message, as handlers see it, instead of how
   * it stands in the ledger.
   */
  public Accepts ofResult() {
    return new Accepts(takes, what, test, true);
  }

  /** Returns whether it is asked of what the transforms make. */
  public boolean seesResult() {
    return seesResult;
  }

  private static Set<String> named(String parameter, List<String> values) {
    if (values.isEmpty()) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION, parameter + " is empty; name at least one");
    }
    return new LinkedHashSet<>(values);
  }

  @Override
  public boolean test(Message message) {
    return test.test(Require.nonNull("message", message));
  }

  /**
   * Returns the name by which instances compare it as a filter: two that let pass different topics
   * or types have different names. One of many is cut, since a row's key is of bounded length, and
   * ends with a hash of all of them.
   */
  String name() {
    if (takes == Takes.EVERYTHING) {
      return takes.name();
    }
    String all =
        what.stream().sorted().map(Accepts::escaped).collect(joining(", ", takes + " ", ""));
    if (all.length() <= NAME_CHARS_MAX) {
      return all;
    }
    String end = "... sha256 " + sha256(all);
    int kept = NAME_CHARS_MAX - end.length();
    return all.substring(0, kept - (Character.isHighSurrogate(all.charAt(kept - 1)) ? 1 : 0)) + end;
  }

  /** A comma parts two names, and what ends with spaces is the same to some databases. */
  private static String escaped(String name) {
    String commas = name.replace("\\", "\\\\").replace(",", "\\,");
    return commas.endsWith(" ") ? commas + "\\" : commas;
  }

  private static String sha256(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Returns what an instance declares that has a route with this condition. */
  public Set<Declaration> declaredOf(String route) {
    Set<Declaration> declared = new LinkedHashSet<>();
    what.forEach(each -> declared.add(new Declaration(route, takes, each)));
    return declared;
  }
}
