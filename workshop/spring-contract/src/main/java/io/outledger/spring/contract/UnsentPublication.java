// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import io.outledger.spring.contract.depot.CrateSent;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What an externaliser of Modulith's own has left in its registry. */
final class UnsentPublication {

  /** Modulith's own externalisers: that of 2.0, and that of 2.1. */
  static final List<String> EXTERNALISERS =
      List.of("DelegatingEventExternalizer", "EventExternalizerModuleListener");

  private static final String PACKAGE = "org.springframework.modulith.events.support.";
  private static final String METHOD = ".externalize(java.lang.Object)";

  private UnsentPublication() {}

  /** Leaves a {@link CrateSent} of this id in the registry. */
  static void leave(JdbcClient registry, String externaliser, String id) {
    registry
        .sql(
            "INSERT INTO event_publication"
                + " (id, listener_id, event_type, serialized_event, publication_date, status,"
                + " completion_attempts)"
                + " VALUES (gen_random_uuid(), ?, ?, ?, now(), 'PUBLISHED', 1)")
        .params(
            PACKAGE + externaliser + METHOD, CrateSent.class.getName(), "{\"id\":\"" + id + "\"}")
        .update();
  }

  /** Returns the listeners of the publications of an id that are not completed. */
  static List<String> listeners(JdbcClient registry, String id) {
    return registry
        .sql(
            "SELECT listener_id FROM event_publication WHERE completion_date IS NULL"
                + " AND serialized_event LIKE ?")
        .param("%" + id + "%")
        .query(String.class)
        .list();
  }
}
