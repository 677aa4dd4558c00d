// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.roles;

import io.outledger.jdbc.Requests;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.Verb;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Asks for things, each with an id that is taken down first. What was not answered, because the
 * database was away or the operator was killed, is asked again with the same id. Used by one
 * thread.
 */
final class Asking {

  private final Requests requests;
  private final AskLog log;
  private final Map<UUID, AskLog.Asked> open = new LinkedHashMap<>();

  Asking(Requests requests, AskLog log) {
    this.requests = requests;
    this.log = log;
    log.read().stream().filter(AskLog.Asked::isOpen).forEach(one -> open.put(one.id(), one));
  }

  /** Asks for something with a new id, and returns how far it has come. */
  RequestStatus ask(Verb verb) {
    return ask(verb, Duration.ZERO);
  }

  /** The same, waiting for its end for so long at most. */
  RequestStatus ask(Verb verb, Duration waitMax) {
    AskLog.Asked one = AskLog.of(verb);
    open.put(one.id(), one);
    return ask(one, waitMax);
  }

  /** Asks again for all that was not answered. */
  void askAgain() {
    List.copyOf(open.values()).forEach(one -> ask(one, Duration.ZERO));
  }

  /** Returns whether something was not answered. */
  boolean isOpen() {
    return !open.isEmpty();
  }

  /** Ends a request before all of it is done; where that is not answered, nobody asks again. */
  void stop(UUID id) {
    requests.stop(id);
  }

  private RequestStatus ask(AskLog.Asked one, Duration waitMax) {
    log.asks(one);
    RequestStatus status = requests.ask(one.request(), waitMax);
    log.answered(one);
    open.remove(one.id());
    return status;
  }
}
