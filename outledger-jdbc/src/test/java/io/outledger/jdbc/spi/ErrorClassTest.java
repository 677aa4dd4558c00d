// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ErrorClassTest {

  @Test
  void relayAndOperatorAreGivenTheCodeOfTheTable() {
    SQLException refused = new SQLException("no", "X");
    for (ErrorClass found : ErrorClass.values()) {
      assertThat(StoreFailure.of(failure -> found, "reading", refused).code())
          .isEqualTo(found.code());
      assertThat(StoreFailure.ofOperator(failure -> found, "deleting", refused).code())
          .isEqualTo(found.code());
    }
  }

  @Test
  void whatIsTheDatabasesFaultIsAnOutageByItsCode() {
    assertThat(
            Stream.of(ErrorClass.values())
                .filter(found -> found.blame() == ErrorClass.Blame.DATABASE || found.endsSession()))
        .isNotEmpty()
        .allMatch(found -> found.code().isOutage());
  }

  @Test
  void missingRightNamesWhatWasRefusedAndNoMore() {
    assertThat(refused("permission denied for table outledger_lease"))
        .contains("the user lacks a right on outledger_lease: docs/schema.md", "permission denied")
        .doesNotContain("grant", "INSERT");
    assertThat(refused("انعدمت السماحية للجدول outledger_cursor"))
        .contains("lacks a right on outledger_cursor");
    assertThat(
            refused(
                "(conn=7) INSERT command denied to user 'outledger_app'@'%' for table"
                    + " `shop`.`outledger_status`"))
        .contains("; grant the user INSERT on outledger_status: ");
    assertThat(refused("SELECT command denied to user 'a'@'b' for column 'x' in table 'orders'"))
        .contains("the user lacks a right: docs/schema.md")
        .doesNotContain("grant");
    assertThat(refused("Access denied for user 'outledger_app'@'%' to database 'shop'"))
        .contains("the user lacks a right: docs/schema.md");
  }

  @Test
  void rightToLockRowsIsOneOfTheDatabase() {
    assertThat(
            refused(
                "SELECT, LOCK TABLES command denied to user 'a'@'b' for table"
                    + " 'outledger_key_lock'"))
        .contains("grant the user SELECT on outledger_key_lock, and LOCK TABLES on its database");
    assertThat(
            refused(
                "SELECT with locking clause command denied to user 'a'@'b' for table"
                    + " 'outledger_key_lock'"))
        .contains("grant the user SELECT on outledger_key_lock, and LOCK TABLES on its database");
  }

  @Test
  void whoMakesTablesIsNotToldToGrantOneAfterTheOther() {
    assertThat(refused("CREATE command denied to user 'a'@'b' for table `shop`.`outledger_schema`"))
        .contains("whoever applies the schema needs the right to make tables")
        .doesNotContain("grant the user");
  }

  @Test
  void whatIsRefusedForAnotherReasonNeedsNoRight() {
    SQLException failure = new SQLException("value too long for outledger_message", "22001");
    assertThat(StoreFailure.of(found -> ErrorClass.REFUSED, "saving", failure))
        .hasMessageNotContainingAny("right", "grant");
  }

  private static String refused(String text) {
    return String.valueOf(
        StoreFailure.of(
                found -> ErrorClass.RIGHT_MISSING, "reading", new SQLException(text, "42501"))
            .getMessage());
  }
}
