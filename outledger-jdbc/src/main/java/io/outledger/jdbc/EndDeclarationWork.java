// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.spi.DeclarationTable;
import io.outledger.jdbc.spi.RequestRow;
import io.outledger.jdbc.spi.RequestStep;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** Ends a declaration. */
record EndDeclarationWork(DeclarationTable declarations, Verb.EndDeclaration verb)
    implements RequestWork {

  @Override
  public Optional<RequestStep> step(Connection transaction, RequestRow row) throws SQLException {
    boolean wasThere = declarations.ending(verb.declared()).on(transaction);
    return Optional.of(
        wasThere
            ? RequestStep.done("ended; no message is parked for it any more")
            : RequestStep.nothing("nothing to end: it is not declared"));
  }
}
