// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.DeclarationTable;
import io.outledger.jdbc.spi.DeclaredNames;
import io.outledger.jdbc.spi.Fenced;
import io.outledger.jdbc.spi.RequestRow;
import io.outledger.jdbc.spi.RequestStep;
import io.outledger.jdbc.spi.SubscriptionStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** Deletes a subscription with all that belongs to it, or lets a name that was given up be used. */
record DeleteWork(SubscriptionStore store, Database database, Verb.Delete verb, Fenced fenced)
    implements RequestWork {

  @Override
  public Optional<RequestStep> step(Connection transaction, RequestRow row) throws SQLException {
    String name = verb.subscription();
    DeclarationTable.Reader reader =
        DeclarationTable.Reader.subscription(name, row.status().askedBy());
    DeclaredNames names = new DeclaredNames(database.declarations(reader));
    Optional<String> now = names.renamedTo(transaction);
    if (now.isPresent()) {
      names.free(transaction);
      database.renamedRows().free(transaction, name, row.status().id());
      return Optional.of(
          RequestStep.done(
              "the name may be used again; the subscription that had it is called \"%s\" and stays"
                  .formatted(now.get())));
    }
    store.delete(transaction, name, fenced);
    database.pauses().forget(transaction, name);
    return Optional.of(RequestStep.done("deleted, with its parked messages"));
  }
}
