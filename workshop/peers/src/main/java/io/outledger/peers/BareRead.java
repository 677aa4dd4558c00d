// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import io.outledger.benchmarks.BarePages;
import io.outledger.store.LedgerMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/**
 * What nothing that reads all rows can be much faster than: the bare pages of Outledger's ledger.
 */
final class BareRead implements Application {

  private final DataSource dataSource;
  private final Receiver receiver;
  private final Application writing;
  private final Background background = new Background("bare-read");

  private BareRead(Site site) {
    this.dataSource = site.dataSource();
    this.receiver = site.receiver();
    this.writing = OutledgerOutbox.open(site);
  }

  static Application open(Site site) {
    return new BareRead(site);
  }

  @Override
  public void commit(Business business, List<NumberedMessage> messages) throws Exception {
    writing.commit(business, messages);
  }

  @Override
  public void start() {
    background.run(this::readAll);
  }

  private void readAll() throws SQLException {
    try (Connection connection = dataSource.getConnection();
        BarePages pages = new BarePages(connection)) {
      List<LedgerMessage> page = pages.page(0);
      while (!page.isEmpty()) {
        page.forEach(read -> receiver.receive(NumberedMessage.numberOf(read.message().payload())));
        page = pages.page(page.get(page.size() - 1).position());
      }
    }
  }

  @Override
  public boolean isSettled() {
    return true;
  }

  @Override
  public void close() {
    background.close();
    writing.close();
  }
}
