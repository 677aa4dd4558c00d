// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract.mails;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.spring.boot.test.OutledgerTest;
import io.outledger.spring.contract.shop.ShopApplication;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.ActiveProfiles;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestPropertySource;

/** A slice whose database is named in the file of a profile that the test activates. */
@OutledgerTest
@ContextConfiguration(classes = ShopApplication.class)
@ActiveProfiles("chosen")
@TestPropertySource(properties = "spring.sql.init.mode=never")
public abstract class OutledgerTestByProfileContract {

  @Autowired private DataSource dataSource;

  /** Creates it. */
  protected OutledgerTestByProfileContract() {}

  @Test
  void theDatabaseIsTheOneThatTheProfileNames() throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      assertThat(connection.getMetaData().getURL()).contains("chosen-by-the-profile");
    }
  }
}
