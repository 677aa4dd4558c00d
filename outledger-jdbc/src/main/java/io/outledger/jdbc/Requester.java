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
 * Asks in the name of this process, for callers of the API who say neither who they are nor why.
 *
 * @param requests the door
 * @param instance this process's name
 */
record Requester(Requests requests, String instance) {

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
    return requests.askAndRequire(verb.by(instance, "by the API"));
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
