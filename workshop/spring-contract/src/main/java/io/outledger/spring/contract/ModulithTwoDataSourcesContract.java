// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.spring.contract.depot.DepotApplication;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.modulith.events.IncompleteEventPublications;

/** Modulith's registry is in the primary data source, and the ledger in another. */
public abstract class ModulithTwoDataSourcesContract {

  /** Creates it. */
  protected ModulithTwoDataSourcesContract() {}

  @Test
  void whatModulithHadNotSentIsAppendedInATransactionOfTheLedgersDataSource() {
    try (RunningShop depot =
        RunningShop.of(
            List.of(DepotApplication.class, TwoDatabases.class),
            "spring.jpa.hibernate.ddl-auto=create",
            "spring.modulith.events.jdbc.schema-initialization.enabled=true",
            "outledger.schema-initialization=always",
            "outledger.relay.enabled=false",
            TwoDatabases.LEDGER)) {
      JdbcClient registry = JdbcClient.create(depot.bean(DataSource.class));
      for (String externaliser : UnsentPublication.EXTERNALISERS) {
        UnsentPublication.leave(registry, externaliser, externaliser);
        depot.bean(IncompleteEventPublications.class).resubmitIncompletePublications(any -> true);
        assertThat(keys(depot)).contains(externaliser);
        assertThat(UnsentPublication.listeners(registry, externaliser)).isEmpty();
      }
    }
  }

  private static List<String> keys(RunningShop depot) {
    return depot
        .bean(JdbcClient.class)
        .sql("SELECT message_key FROM outledger_message WHERE topic = 'crates-sent'")
        .query(String.class)
        .list();
  }
}
