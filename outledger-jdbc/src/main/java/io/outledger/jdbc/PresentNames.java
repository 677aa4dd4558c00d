// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.DeclarationTable;
import io.outledger.jdbc.spi.DeclaredNames;
import io.outledger.jdbc.spi.VerbText;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/** The names that readers and routes have now, by those that an operator may know yet. */
record PresentNames(Database database) {

  private static final int RENAMED_MAX = 100;

  /** Whom something is asked of, and the rest as a text. */
  record Asked(Reader reader, String selection) {}

  /** Returns what is asked for, in the names of now. */
  Asked of(Connection transaction, Asked asked) throws SQLException {
    Reader reader = asked.reader();
    if (reader.kind() == Reader.Kind.LEDGER) {
      return asked;
    }
    Reader now = new Reader(reader.kind(), name(transaction, reader), reader.partition());
    String selection = asked.selection();
    Map<String, String> routes = names(now).routes(transaction);
    for (int i = 0; i < routes.size(); i++) { // one may have been renamed again
      for (Map.Entry<String, String> each : routes.entrySet()) {
        selection = VerbText.withRoute(selection, each.getKey(), each.getValue());
      }
    }
    return new Asked(now, selection);
  }

  /** Returns the name that a reader has now. */
  String name(Connection transaction, Reader reader) throws SQLException {
    String name = reader.name();
    Optional<String> next = names(reader).renamedTo(transaction);
    for (int i = 0; next.isPresent() && i < RENAMED_MAX; i++) {
      name = next.get();
      next = names(new Reader(reader.kind(), name, reader.partition())).renamedTo(transaction);
    }
    return name;
  }

  private DeclaredNames names(Reader reader) {
    return new DeclaredNames(
        database.declarations(
            new DeclarationTable.Reader(reader.kind().stored(), reader.name(), "")));
  }
}
