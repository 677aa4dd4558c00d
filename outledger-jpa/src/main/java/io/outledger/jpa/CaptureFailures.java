// SPDX-License-Identifier: Apache-2.0
package io.outledger.jpa;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Printable;
import java.util.List;
import java.util.stream.Collectors;

/** Why a transaction whose events are captured cannot commit. */
final class CaptureFailures {

  private static final int CLASSES_SHOWN_MAX = 3;

  private CaptureFailures() {}

  static InvalidMessageException lost(String why, List<RaisedEvent> events) {
    return unsaved(
        " would be lost",
        why
            + "; flush before you clear, detach or refresh, raise events on managed entities, or"
            + " discard events that no longer count",
        events);
  }

  static InvalidMessageException twice(List<RaisedEvent> events) {
    return unsaved(
        " would be appended twice",
        "another transaction, which is still running, has captured them; give a transaction of its"
            + " own ids in place of entities, or begin it when the other one has ended",
        events);
  }

  private static InvalidMessageException unsaved(
      String what, String why, List<RaisedEvent> events) {
    String classes =
        events.stream()
            .map(each -> each.event().getClass().getName())
            .distinct()
            .limit(CLASSES_SHOWN_MAX)
            .collect(Collectors.joining(", "));
    return new InvalidMessageException(
        ErrorCode.EVENTS_NOT_SAVED,
        Printable.count(events.size(), "domain event") + what + " (" + classes + "): " + why);
  }

  static ConfigurationException endless(int rounds) {
    return new ConfigurationException(
        ErrorCode.EVENTS_WITHOUT_END,
        "listeners of domain events have led to further events "
            + rounds
            + " times before this commit; a listener must not raise, directly or through others,"
            + " the event that it listens to");
  }
}
