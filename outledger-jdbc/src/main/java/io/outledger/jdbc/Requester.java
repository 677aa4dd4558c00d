// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.spi.Database;
import io.outledger.store.Declaration;
import io.outledger.time.TimeSource;
import javax.sql.DataSource;

/**
 * Asks for callers of the API: in the name of this process, unless they say who they are and why.
 *
 * @param requests the door
 * @param who in whose name
 * @param reason why
 */
record Requester(Requests requests, String who, String reason) {

  /** Asks in the name of this process. */
  Requester(Requests requests, String instance) {
    this(requests, instance, "by the API");
  }

  /** Returns one that asks in another name. */
  Requester by(String other, String why) {
    return new Requester(requests, other, why);
  }

  static Requester of(Database database, DataSource dataSource, OpenState openState) {
    return new Requester(
        new Requests(database, dataSource, openState, TimeSource.system()),
        new InstanceName(null).withoutHost());
  }

  /**
   * Asks, and returns when the first step is over.
   *
   * @throws io.outledger.ConfigurationException what refused it
   */
  RequestStatus ask(Verb verb) {
    return requests.askAndRequire(verb.by(who, reason));
  }

  /** Asks for something to be done to parked messages, and returns for how many. */
  long count(Verb verb) {
    Long total = ask(verb).total();
    return total == null ? 0 : total;
  }

  /** Asks that a declaration be ended, and returns whether it was declared. */
  boolean endDeclaration(Reader reader, Declaration declared) {
    return count(new Verb.EndDeclaration(reader, declared)) > 0;
  }
}
