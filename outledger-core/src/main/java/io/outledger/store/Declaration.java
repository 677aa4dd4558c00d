// SPDX-License-Identifier: Apache-2.0
package io.outledger.store;

import io.outledger.Message;
import io.outledger.Require;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an instance says that it handles: a route of a subscription, or a consumer, and which
 * messages it takes. Only code knows that, and several versions of the code run at once, so each
 * instance says it in the database before it reads anything.
 *
 * @param route the route's name; empty for a subscription with one publisher, and for a consumer
 * @param takes by what it takes messages
 * @param what which ones: a topic, a type as {@link #type} writes it, a rule's name; empty for
 *     everything
 */
public record Declaration(String route, Takes takes, String what) {

  /** By what messages are taken. */
  public enum Takes {
    /** Every message. */
    EVERYTHING,
    /** The messages of a topic. */
    TOPIC,
    /** The messages of a type and version. */
    TYPE,
    /** Those that a function accepts, which nobody without it can tell: it may be any. */
    RULE,
    /**
     * Of no route, but of all: they take what the subscription's filter of this name lets pass.
     * Whoever has another filter cannot tell what this one lets pass that its own does not.
     */
    FILTER
  }

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public Declaration {
    Require.nonNull("route", route);
    Require.nonNull("takes", takes);
    Require.nonNull("what", what);
  }

  /** Returns the declaration that a route takes every message. */
  public static Declaration everything(String route) {
    return new Declaration(route, Takes.EVERYTHING, "");
  }

  /** Returns the declaration of a subscription's filter, {@code EVERYTHING} where it has none. */
  public static Declaration filter(String name) {
    return new Declaration("", Takes.FILTER, name);
  }

  /** Returns how a declaration names a type and its version. */
  public static String type(String name, int version) {
    return Require.nonNull("name", name) + " v" + version;
  }

  /** Returns whether a message may be meant, as far as anybody without the code can tell. */
  public boolean mayTake(Message message) {
    Require.nonNull("message", message);
    return mayTake(message.topic(), message.type(), message.version());
  }

  /** The same of a message of which these are known. */
  public boolean mayTake(String topic, String type, int version) {
    Require.nonNull("topic", topic);
    Require.nonNull("type", type);
    return switch (takes) {
      case EVERYTHING, RULE, FILTER -> true;
      case TOPIC -> what.equals(topic);
      case TYPE -> what.equals(type(type, version));
    };
  }

  /** Names it for people, such as {@code route mail, type order.placed v1}. */
  @Override
  public String toString() {
    String taken =
        switch (takes) {
          case EVERYTHING -> "every message";
          case TOPIC -> "topic " + what;
          case TYPE -> "type " + what;
          case RULE -> "rule " + what;
          case FILTER -> "filter " + what;
        };
    return route.isEmpty() ? taken : "route " + route + ", " + taken;
  }

  /** Returns declarations as one text, for a row; null where there is none. */
  public static @Nullable String write(Collection<Declaration> declarations) {
    if (Require.nonNull("declarations", declarations).isEmpty()) {
      return null;
    }
    StringBuilder text = new StringBuilder();
    for (Declaration each : declarations) {
      text.append(escaped(each.route)).append('\t').append(each.takes).append('\t');
      text.append(escaped(each.what)).append('\n');
    }
    return text.toString();
  }

  /** Reads what {@link #write} has written; lines of a newer version are passed over. */
  public static Set<Declaration> read(@Nullable String text) {
    Set<Declaration> read = new LinkedHashSet<>();
    if (text != null) {
      for (String line : text.split("\n", -1)) {
        String[] parts = line.split("\t", -1);
        if (parts.length == 3) {
          read.add(new Declaration(plain(parts[0]), takes(parts[1]), plain(parts[2])));
        }
      }
    }
    return read;
  }

  /** Reads a stored value: what a newer version has written may be meant for any message. */
  public static Takes takes(String stored) {
    Require.nonNull("stored", stored);
    for (Takes takes : Takes.values()) {
      if (takes.name().equals(stored)) {
        return takes;
      }
    }
    return Takes.RULE;
  }

  private static String escaped(String value) {
    return value.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t");
  }

  private static String plain(String value) {
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '\\' && i + 1 < value.length()) {
        i++;
        char next = value.charAt(i);
        plain.append(next == 'n' ? '\n' : next == 't' ? '\t' : next);
      } else {
        plain.append(c);
      }
    }
    return plain.toString();
  }
}
