// SPDX-License-Identifier: Apache-2.0
package io.outledger.connect;

import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.AdminClientConfig;

/**
 * Finds settings that begin like ours and are none, such as {@code database.usr}. All others may be
 * those of Connect, of an engine or of a transformation.
 */
final class UnknownSettings {

  private static final Set<String> OURS =
      ConnectorSettings.definition().names().stream().collect(Collectors.toUnmodifiableSet());
  private static final Set<String> OF_CLIENT =
      AdminClientConfig.configNames().stream()
          .map(name -> ConnectorSettings.KAFKA + name)
          .collect(Collectors.toUnmodifiableSet());
  private static final Set<String> BEGINNINGS =
      OURS.stream()
          .filter(name -> name.contains(".") && !name.startsWith(ConnectorSettings.KAFKA))
          .map(name -> name.substring(0, name.lastIndexOf('.') + 1))
          .collect(Collectors.toUnmodifiableSet());
  private static final Set<String> BEGINNINGS_OF_CLIENT =
      OF_CLIENT.stream()
          .map(name -> name.split("\\.", -1))
          .filter(words -> words.length > 2)
          .map(words -> words[0] + "." + words[1] + ".")
          .collect(Collectors.toUnmodifiableSet());

  private UnknownSettings() {}

  /** Returns the names, in order. */
  static SortedSet<String> of(Set<String> given) {
    SortedSet<String> unknown = new TreeSet<>();
    for (String name : given) {
      boolean isKnown = OURS.contains(name) || OF_CLIENT.contains(name);
      boolean beginsLikeOurs =
          BEGINNINGS.stream().anyMatch(name::startsWith)
              || BEGINNINGS_OF_CLIENT.stream().anyMatch(name::startsWith);
      if (beginsLikeOurs && !isKnown) {
        unknown.add(name);
      }
    }
    return unknown;
  }
}
