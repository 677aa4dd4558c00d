// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Name;
import io.outledger.Require;
import io.outledger.inbox.InboxId;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What has to hold of what operators ask for. */
final class VerbChecks {

  private VerbChecks() {}

  static void route(String route) {
    if (!Require.nonNull("route", route).isEmpty()) {
      Name.check("route", route);
    }
  }

  static void which(Reader reader, Which which) {
    Require.nonNull("reader", reader);
    Require.nonNull("which", which);
    if (reader.partition() != 0) {
      throw invalid(
          "a request reaches all partitions of a subscription, and not partition %s alone: ask it"
                  .formatted(reader.partition())
              + " of Reader.subscription(\"%s\"), and name or select the messages"
                  .formatted(reader.name()));
    }
    boolean isConsumer = reader.kind() == Reader.Kind.CONSUMER;
    if (isConsumer ? which instanceof Which.Place : which instanceof Which.Numbered) {
      throw invalid(
          "a parked message of a "
              + reader.kind().stored()
              + " is named by its "
              + (isConsumer ? "number, not by a place" : "place, not by a number"));
    }
    if (isConsumer && which instanceof Which.Selected all && all.selection().route() != null) {
      throw invalid("a receiver has no routes; leave the route out of the selection");
    }
  }

  static void rename(Reader reader, @Nullable String route, String to) {
    Require.nonNull("reader", reader);
    if (route == null) {
      Name.check(reader.kind().stored(), to);
    } else {
      route(route);
      route(to);
    }
    if (to.equals(route == null ? reader.name() : route)) {
      throw invalid("the new name \"" + to + "\" is the old one; nothing was asked for");
    }
    if (route != null && reader.isConsumer()) {
      throw invalid("a consumer has no routes; leave the route out");
    }
  }

  static Set<InboxId> messages(Set<InboxId> messages) {
    for (InboxId message : Require.nonNull("messages", messages)) {
      Require.nonNull("message", message);
    }
    if (messages.isEmpty() || messages.size() > Verb.Forget.MESSAGES_MAX) {
      throw invalid(
          "%s messages are given, but a request forgets 1 to %s"
              .formatted(messages.size(), Verb.Forget.MESSAGES_MAX));
    }
    return Set.copyOf(messages);
  }

  static void erasure(@Nullable UUID id, @Nullable String key) {
    if ((id == null) == (key == null) || (key != null && Require.text("key", key).isEmpty())) {
      throw invalid("an erasure needs the id of a message or a key, and not both");
    }
  }

  static void scheduled(@Nullable UUID id, @Nullable String name) {
    if ((id == null) == (name == null)) {
      throw invalid("a scheduled message is named by its id or by its name, and not by both");
    }
    if (name != null) {
      Name.check("scheduled message", name);
    }
  }

  private static ConfigurationException invalid(String problem) {
    return new ConfigurationException(ErrorCode.INVALID_CONFIGURATION, problem);
  }
}
